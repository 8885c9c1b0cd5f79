// Times, ages, numbers and sizes as people write them in each language. Local time, zone named.
// Indonesian: `30 Nov 2026 14.02 WIB`, `1.234,5`. English: `30 Nov 2026, 14:02 WIB`, `1,234.5`.
import { m } from '$lib/paraglide/messages';
import type { Language } from '$lib/host';
import type { Touches } from '$lib/api/types';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const tag = (language: Language) => (language === 'id' ? 'id-ID' : 'en-GB');

/** Indonesia's zones have names that only the Indonesian locale data knows. */
const INDONESIAN_ZONE: Record<string, string> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Ujung_Pandang': 'WITA',
  'Asia/Jayapura': 'WIT',
};

// Making a format costs many times what using it does, and one screen uses a hundred.
const formats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();
let ownZone = '';
function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(tag(language), options)));
  return format;
}

function part(at: Date, language: Language, options: Intl.DateTimeFormatOptions, type: string): string {
  return (
    dateFormat(language, options)
      .formatToParts(at)
      .find((p) => p.type === type)?.value ?? ''
  );
}

export function zoneName(at: Date, language: Language, timeZone?: string): string {
  ownZone ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = timeZone ?? ownZone;
  return INDONESIAN_ZONE[zone] ?? part(at, language, { timeZone, timeZoneName: 'short' }, 'timeZoneName');
}

interface When {
  seconds?: boolean;
  zone?: boolean;
  /** Only for tests: otherwise the computer's zone. */
  timeZone?: string;
}

export function formatTime(iso: string, language: Language, { seconds, timeZone }: When = {}): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  };
  const pieces = [part(at, language, options, 'hour'), part(at, language, options, 'minute')];
  if (seconds) pieces.push(part(at, language, options, 'second'));
  return pieces.map((p) => p.padStart(2, '0')).join(language === 'id' ? '.' : ':');
}

/** `30 Nov`, with the year when it is not this one or when asked. */
export function formatDay(
  iso: string,
  language: Language,
  { year = false, timeZone }: { year?: boolean; timeZone?: string } = {},
): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone };
  const day = part(at, language, options, 'day');
  // en-GB writes "Sept"; every other month has three letters.
  const month = part(at, language, options, 'month').replace(/^Sept$/, 'Sep');
  return year ? `${day} ${month} ${part(at, language, options, 'year')}` : `${day} ${month}`;
}

export function formatDateTime(iso: string, language: Language, when: When = {}): string {
  const date = formatDay(iso, language, { year: true, timeZone: when.timeZone });
  const zone = when.zone === false ? '' : ` ${zoneName(new Date(iso), language, when.timeZone)}`;
  return m.date_time({ date, time: formatTime(iso, language, when) + zone }, { locale: language });
}

/** As in a sentence: `30 Nov at 14:02:11 WIB`, `30 Nov pukul 14.02.11 WIB`. */
export function formatAt(iso: string, language: Language, when: When & { now?: number } = {}): string {
  const now = new Date(when.now ?? Date.now());
  const year = new Date(iso).getFullYear() !== now.getFullYear();
  const date = formatDay(iso, language, { year, timeZone: when.timeZone });
  const zone = when.zone === false ? '' : ` ${zoneName(new Date(iso), language, when.timeZone)}`;
  const time = formatTime(iso, language, { seconds: true, ...when }) + zone;
  return m.date_at_time({ date, time }, { locale: language });
}

const startOfDay = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);

function calendarDaysAgo(then: number, now: number): number {
  return Math.round((startOfDay(now) - startOfDay(then)) / (24 * HOUR));
}

/** For a list: `4 min`, `3 h`, `yesterday`, `27 Nov`. */
export function formatAge(iso: string, now: number, language: Language): string {
  const then = Date.parse(iso);
  const past = Math.max(0, now - then);
  const options = { locale: language };
  if (past < MINUTE) return m.age_now({}, options);
  if (past < HOUR) return m.age_min({ n: Math.floor(past / MINUTE) }, options);
  const days = calendarDaysAgo(then, now);
  if (days === 0 || past < 6 * HOUR) return m.age_hour({ n: Math.floor(past / HOUR) }, options);
  if (days === 1) return m.age_yesterday({}, options);
  return formatDay(iso, language, { year: new Date(then).getFullYear() !== new Date(now).getFullYear() });
}

/** For a sentence: `4 minutes ago`, `yesterday at 14:02`, `27 Nov 2026, 14:02 WIB`. */
export function formatAgo(iso: string, now: number, language: Language): string {
  const then = Date.parse(iso);
  const past = Math.max(0, now - then);
  const options = { locale: language };
  if (past < MINUTE) return m.ago_now({}, options);
  if (past < HOUR) {
    const count = Math.floor(past / MINUTE);
    return m.ago_min({ count, n: count }, options);
  }
  const days = calendarDaysAgo(then, now);
  if (days === 0 || past < 6 * HOUR) {
    const count = Math.floor(past / HOUR);
    return m.ago_hour({ count, n: count }, options);
  }
  if (days === 1) return m.ago_yesterday({ time: formatTime(iso, language) }, options);
  return formatDateTime(iso, language);
}

export function formatNumber(value: number, language: Language, digits = 0): string {
  // Most numbers on a screen are small and written alike in both; the first screen has no others.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  const key = language + digits;
  let format = numberFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(tag(language), { maximumFractionDigits: digits });
    numberFormats.set(key, format);
  }
  return format.format(value);
}

export function formatBytes(bytes: number, language: Language): string {
  const options = { locale: language };
  if (bytes < 1000) return m.bytes_b({ n: formatNumber(bytes, language) }, options);
  if (bytes < 1_000_000) return m.bytes_kb({ n: formatNumber(bytes / 1000, language, 1) }, options);
  return m.bytes_mb({ n: formatNumber(bytes / 1_000_000, language, 1) }, options);
}

/** `2 documents, 1 message` */
export function formatTouches(touches: Touches, language: Language): string {
  const options = { locale: language };
  const counted = (count: number) => ({ count, n: formatNumber(count, language) });
  const parts: string[] = [];
  if (touches.documents) parts.push(m.n_documents(counted(touches.documents), options));
  if (touches.files) parts.push(m.n_files(counted(touches.files), options));
  if (touches.messages) parts.push(m.n_messages(counted(touches.messages), options));
  return parts.join(', ');
}

/** `Ani, Budi or Citra` */
export function formatNames(names: string[], word: string): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** `4be1…09c7`, without the algorithm's name. */
export function shortHash(hash: string): string {
  const hex = hash.replace(/^sha256:/, '');
  return hex.length > 12 ? `${hex.slice(0, 4)}…${hex.slice(-4)}` : hex;
}

const ISOLATE = String.fromCharCode(0x2068);
const POP_ISOLATE = String.fromCharCode(0x2069);

/** Keeps a name's own direction from turning the sentence round it. */
export const isolate = (text: string): string => ISOLATE + text + POP_ISOLATE;
