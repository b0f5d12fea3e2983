import { toAsciiDigits } from '../../shared/ascii-digits.ts';

/** Read the digits of a code in any script, whatever stands between them: `٤٢ ०` is 420. */
export function parseDigits(text: string): string {
  return toAsciiDigits(text).replaceAll(/\D/g, '');
}
