import type { FieldError } from '../../../shared/errors.ts';

export const MIN_PASSWORD_CHARACTERS = 8;
/** UTF-8. */
export const MAX_PASSWORD_BYTES = 1024;

/** Names and subjects of the service, in lower case, longer ones first (docs/guides/accounts.md). */
export const SERVICE_WORDS = [
  'document',
  'profile',
  'medical',
  'luggage',
  'service',
  'finder',
  'memory',
  'code',
  'scan',
  'car',
  'pet',
  'tag',
  'qr',
] as const;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** NIST SP 800-63B, 3.1.1.2: length and common passwords; no Unicode normalization. */
export async function findPasswordErrors(password: string, email: string): Promise<FieldError[]> {
  if (Buffer.byteLength(password, 'utf8') > MAX_PASSWORD_BYTES) {
    return [createPasswordError('TOO_LONG', `Must have at most ${MAX_PASSWORD_BYTES} bytes.`)];
  }
  const lower = password.toLowerCase();
  const problems: FieldError[] = [];
  if ([...password].length < MIN_PASSWORD_CHARACTERS) {
    problems.push(
      createPasswordError('TOO_SHORT', `Must have at least ${MIN_PASSWORD_CHARACTERS} characters.`),
    );
  }
  if (getForbiddenPasswords(email).includes(lower)) {
    problems.push(
      createPasswordError('SAME_AS_EMAIL', 'Must not be the email address or the part before the @.'),
    );
  }
  if (hasOnlyServiceWords(lower) || (await loadCommonPasswords()).has(lower)) {
    problems.push(createPasswordError('TOO_COMMON', 'Must not be a common password.'));
  }
  return problems;
}

/** Load about 49,000 passwords in lower case, once. Call it early to keep the first check fast. */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return commonPasswords;
}

/** True for `QR-Profile 2026!`: words of the service, with digits and punctuation only. */
function hasOnlyServiceWords(lowerCasePassword: string): boolean {
  let letters = lowerCasePassword.replaceAll(/\P{L}/gu, '');
  if (letters === '') return false;
  for (const word of SERVICE_WORDS) letters = letters.replaceAll(word, '');
  return letters === '';
}

function getForbiddenPasswords(email: string): string[] {
  const lower = email.trim().toLowerCase();
  return [lower, lower.slice(0, Math.max(lower.lastIndexOf('@'), 0))];
}

function createPasswordError(code: string, message: string): FieldError {
  return { field: 'password', code, message };
}
