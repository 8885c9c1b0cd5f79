import { expect, test } from 'vitest';
import { n_documents } from '$lib/paraglide/messages';
import { plural } from './plural';

test('plurals are those of the languages', () => {
  for (const locale of ['en', 'id'])
    for (const n of [0, 1, 2, 11, 21, 101, 1000])
      expect(plural(locale, n), `${locale} ${n}`).toBe(new Intl.PluralRules(locale).select(n));
});

test('messages use them', () => {
  const count = (n: number, locale: 'en' | 'id') => n_documents({ count: n, n }, { locale });
  expect([count(1, 'en'), count(2, 'en'), count(1, 'id')]).toEqual([
    '1 document',
    '2 documents',
    '1 dokumen',
  ]);
});
