import { type KeyedHashFunction, timingSafeEquals } from './keyed-hash.ts';

/** Marks what is signed but not in the token: whoever verifies it knows it. */
export const CONTEXT: unique symbol = Symbol('context');

/** What the text of a part has to match, or CONTEXT. */
type PartDefinitions = Readonly<Record<string, typeof CONTEXT | RegExp | ((text: string) => boolean)>>;

/** CONTEXT: whoever verifies the token knows `expiresAt`. Null: the token ends with what it belongs to. */
type Lifetime = number | typeof CONTEXT | null;

type TokenParts<Parts extends PartDefinitions> = {
  [Name in keyof Parts as Parts[Name] extends typeof CONTEXT ? never : Name]: CheckedText<Parts[Name]>;
};

type TextGuard<Text extends string> = (text: string) => text is Text;

type CheckedText<Check> = Check extends TextGuard<infer Text> ? Text : string;

type TokenContext<Parts extends PartDefinitions, L extends Lifetime> = {
  [Name in keyof Parts as Parts[Name] extends typeof CONTEXT ? Name : never]: string | number;
} & (L extends typeof CONTEXT ? { expiresAt: Date } : unknown);

type ParsedToken<Parts extends PartDefinitions, L extends Lifetime> = TokenParts<Parts> &
  (L extends number ? { expiresAt: Date } : unknown);

interface SignedTokenOptions<Parts extends PartDefinitions, L extends Lifetime> {
  /** Each purpose has a key of its own. */
  purpose: string;
  /** In the order in which they are signed. */
  parts: Parts;
  lifetimeSeconds: L;
  /** Sign all before the signature as one text, and the context after it. Only for links that were mailed so. */
  signsTextAsOne?: boolean;
}

export interface SignedToken<Parts extends PartDefinitions, L extends Lifetime> {
  /**
   * @param now in milliseconds
   * @throws TypeError for a part that its check refuses, or that contains the separator
   */
  create(hasher: Hasher, values: TokenParts<Parts> & TokenContext<Parts, L>, now?: number): string;
  /** Parse a token without verifying it; null when malformed or expired. */
  parse(token: unknown, now?: number): ParsedToken<Parts, L> | null;
  /** Verify a token in constant time; null when malformed, expired or not signed for this context. */
  verify(
    hasher: Hasher,
    token: unknown,
    context: TokenContext<Parts, L>,
    now?: number,
  ): ParsedToken<Parts, L> | null;
}

interface Hasher {
  hash: KeyedHashFunction;
}

const SEPARATOR = '.';

/** Seconds since 1970. */
const EXPIRY_PATTERN = /^\d{1,12}$/;

type Texts = Readonly<Record<string, string>>;

/** Define tokens that are not stored: `<part>.<part>.<expiry>.<signature>` (docs/adr/0046-signed-tokens.md). */
export function defineSignedToken<const Parts extends PartDefinitions, const L extends Lifetime>({
  purpose,
  parts,
  lifetimeSeconds,
  signsTextAsOne = false,
}: SignedTokenOptions<Parts, L>): SignedToken<Parts, L> {
  // The expiry is the last part.
  const checks: PartDefinitions =
    lifetimeSeconds === null
      ? parts
      : { ...parts, expiresAt: lifetimeSeconds === CONTEXT ? CONTEXT : EXPIRY_PATTERN };
  const names = Object.keys(checks);
  const contextNames = names.filter((name) => checks[name] === CONTEXT);
  const namesInToken = names.filter((name) => checks[name] !== CONTEXT);

  function isText(name: string, text: string): boolean {
    const check = checks[name];
    if (text.includes(SEPARATOR)) return false;
    return check instanceof RegExp ? check.test(text) : typeof check === 'function' && check(text);
  }

  function splitToken(token: unknown): { texts: Texts; signature: string } | null {
    const all = typeof token === 'string' ? token.split(SEPARATOR) : [];
    const signature = all.pop() ?? '';
    const entries = namesInToken.map((name, index) => [name, all[index] ?? ''] as const);
    return all.length === entries.length && entries.every(([name, text]) => isText(name, text))
      ? { texts: Object.fromEntries(entries), signature }
      : null;
  }

  function sign({ hash }: Hasher, texts: Texts): string {
    const getTexts = (chosen: readonly string[]) => chosen.map((name) => texts[name] ?? '');
    const signed = signsTextAsOne
      ? [getTexts(namesInToken).join(SEPARATOR), ...getTexts(contextNames)]
      : getTexts(names);
    return hash(purpose, ...signed).toString('base64url');
  }

  const toParsedToken = (texts: Texts) => {
    const { expiresAt } = texts;
    const parsed = expiresAt === undefined ? texts : { ...texts, expiresAt: toExpiryDate(expiresAt) };
    // Each text passed the check of its part.
    return parsed as ParsedToken<Parts, L>;
  };

  return {
    create(hasher, values, now = Date.now()) {
      const expiry =
        typeof lifetimeSeconds === 'number' ? { expiresAt: Math.floor(now / 1000) + lifetimeSeconds } : {};
      const texts = toTexts({ ...values, ...expiry });
      const wrong = namesInToken.find((name) => !isText(name, texts[name] ?? ''));
      if (wrong !== undefined) throw new TypeError(`A token cannot have this ${wrong}.`);
      return [...namesInToken.map((name) => texts[name]), sign(hasher, texts)].join(SEPARATOR);
    },

    parse(token, now = Date.now()) {
      const texts = splitToken(token)?.texts;
      return texts && !isExpired(texts.expiresAt, now) ? toParsedToken(texts) : null;
    },

    verify(hasher, token, context, now = Date.now()) {
      const received = splitToken(token);
      if (!received) return null;
      // The texts of the token come last: a context must not stand in for them.
      const texts = { ...toTexts(context), ...received.texts };
      const isSigned = timingSafeEquals(received.signature, sign(hasher, texts));
      return isSigned && !isExpired(texts.expiresAt, now) ? toParsedToken(received.texts) : null;
    },
  };
}

function toTexts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : String(value),
    ]),
  );
}

/** A token has seconds, a context the date in ISO 8601. */
function toExpiryDate(text: string): Date {
  return new Date(EXPIRY_PATTERN.test(text) ? Number(text) * 1000 : text);
}

function isExpired(expiresAt: string | undefined, now: number): boolean {
  return expiresAt !== undefined && !(toExpiryDate(expiresAt).getTime() > now);
}
