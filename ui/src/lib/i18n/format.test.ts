import { expect, test } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatAt,
  formatBytes,
  formatDateTime,
  formatNames,
  formatNumber,
  formatTouches,
  shortHash,
} from './format';

const at = '2026-11-30T07:02:11.123Z';
const timeZone = 'Asia/Jakarta';

test('Indonesian writes dates, times and numbers its own way', () => {
  expect(formatDateTime(at, 'id', { timeZone })).toBe('30 Nov 2026 14.02 WIB');
  expect(formatAt(at, 'id', { timeZone, now: Date.parse(at) })).toBe('30 Nov pukul 14.02.11 WIB');
  expect(formatNumber(1234.5, 'id', 1)).toBe('1.234,5');
  expect(formatDateTime('2026-08-17T03:00:00.000Z', 'id', { timeZone })).toBe('17 Agu 2026 10.00 WIB');
});

test('English too', () => {
  expect(formatDateTime(at, 'en', { timeZone })).toBe('30 Nov 2026, 14:02 WIB');
  expect(formatAt(at, 'en', { timeZone, now: Date.parse(at) })).toBe('30 Nov at 14:02:11 WIB');
  expect(formatAt(at, 'en', { timeZone, now: Date.parse('2027-02-01T00:00:00Z') })).toBe(
    '30 Nov 2026 at 14:02:11 WIB',
  );
  expect(formatNumber(1234.5, 'en', 1)).toBe('1,234.5');
  expect([0, 999, -999, 1000, -1000].map((n) => formatNumber(n, 'en'))).toEqual(
    [0, 999, -999, 1000, -1000].map((n) => new Intl.NumberFormat('en-GB').format(n)),
  );
  expect(formatDateTime('2026-09-01T03:00:00.000Z', 'en', { timeZone })).toBe('1 Sep 2026, 10:00 WIB');
});

test('the zone is the one of the place and of the day', () => {
  expect(formatDateTime(at, 'id', { timeZone: 'Asia/Jayapura' })).toBe('30 Nov 2026 16.02 WIT');
  expect(formatDateTime(at, 'id', { timeZone: 'Asia/Makassar' })).toBe('30 Nov 2026 15.02 WITA');
  expect(formatDateTime(at, 'en', { timeZone: 'UTC' })).toBe('30 Nov 2026, 07:02 UTC');
  expect(formatDateTime('2026-11-29T17:00:00.000Z', 'id', { timeZone })).toBe('30 Nov 2026 00.00 WIB');
});

test('ages are short in lists and whole in sentences', () => {
  const then = Date.parse(at);
  const ages: [number, string, string, string, string][] = [
    [20, 'now', 'baru saja', 'just now', 'baru saja'],
    [4 * 60, '4 min', '4 mnt', '4 minutes ago', '4 menit lalu'],
    [60 * 60, '1 h', '1 j', '1 hour ago', '1 jam lalu'],
    [-90, 'now', 'baru saja', 'just now', 'baru saja'],
    [26 * 3600, 'yesterday', 'kemarin', 'yesterday at 14:02', 'kemarin pukul 14.02'],
    [5 * 86400, '30 Nov', '30 Nov', '30 Nov 2026, 14:02 WIB', '30 Nov 2026 14.02 WIB'],
  ];
  for (const [seconds, en, id, enLong, idLong] of ages) {
    const now = then + seconds * 1000;
    expect([formatAge(at, now, 'en'), formatAge(at, now, 'id')]).toEqual([en, id]);
    expect([formatAgo(at, now, 'en'), formatAgo(at, now, 'id')]).toEqual([enLong, idLong]);
  }
});

test('sizes, names, hashes and what a proposal touches', () => {
  expect(formatBytes(999, 'en')).toBe('999 B');
  expect(formatBytes(1234, 'id')).toBe('1,2 kB');
  expect(formatBytes(48_234_567, 'en')).toBe('48.2 MB');
  expect(formatNames(['Ani', 'Budi', 'Citra'], 'or')).toBe('Ani, Budi or Citra');
  expect(formatNames(['Ani'], 'or')).toBe('Ani');
  expect(shortHash(`sha256:4be1${'0'.repeat(56)}09c7`)).toBe('4be1…09c7');
  const touches = { added: 0, removed: 0, documents: 1, files: 0, messages: 2 };
  expect(formatTouches(touches, 'en')).toBe('1 document, 2 messages');
  expect(formatTouches(touches, 'id')).toBe('1 dokumen, 2 pesan');
});
