import type { FieldError } from '../../../shared/errors.ts';

export const MIN_PASSWORD_CHARACTERS = 8;
/** UTF-8. */
export const MAX_PASSWORD_BYTES = 1024;

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
      createPasswordError('SAME_AS_EMAIL', 'Must not be the e-mail address or the part before the @.'),
    );
  }
  if ((await loadCommonPasswords()).has(lower)) {
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

function getForbiddenPasswords(email: string): string[] {
  const lower = email.trim().toLowerCase();
  return [lower, lower.slice(0, Math.max(lower.lastIndexOf('@'), 0))];
}

function createPasswordError(code: string, message: string): FieldError {
  return { field: 'password', code, message };
}
