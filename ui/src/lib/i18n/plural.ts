// What the compiled messages ask for plurals: the rules of our two languages for whole numbers. The
// browser's own would be looked up anew for each message that counts something.
export function plural(locale: string, input: unknown): 'one' | 'other' {
  return locale === 'en' && Number(input) === 1 ? 'one' : 'other';
}
