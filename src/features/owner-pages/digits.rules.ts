/** Zeros of the scripts in which keyboards of our languages write digits: Latin, Arabic, Persian, Devanagari, full width. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xff10];

/** Read the digits of a code, whatever stands between them: `٤٢ ०` is 420. */
export function parseDigits(text: string): string {
  return [...text]
    .flatMap((character) => {
      const point = character.codePointAt(0) ?? 0;
      const zero = ZEROS.find((one) => point >= one && point <= one + 9);
      return zero === undefined ? [] : [point - zero];
    })
    .join('');
}
