export interface SqlStatement {
  /** As it is written, without comments before it. */
  text: string;
  /** Line of its first word, from 1. */
  line: number;
  /** One space between tokens, unquoted words in lower case, strings and numbers as `''`. */
  normalized: string;
}

interface Token {
  normalized: string;
  start: number;
  end: number;
}

const SKIPPED = /\s+|--[^\n]*/y;
const ESCAPE_STRING = /e'(?:[^'\\]|\\[\s\S]|'')*'/iy;
const STRING = /'(?:[^']|'')*'/y;
const QUOTED_NAME = /"(?:[^"]|"")*"/y;
const DOLLAR_QUOTE = /\$(?:[a-z_]\w*)?\$/iy;
const NUMBER = /\d[\w.]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const SIMPLE_NAME = /^"[a-z_][a-z0-9_]*"$/;

/** Split a script at the semicolons outside of strings, function bodies and comments. */
export function splitSqlStatements(script: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let tokens: Token[] = [];
  const endStatement = () => {
    const [first] = tokens;
    const last = tokens.at(-1);
    if (first && last)
      statements.push({
        text: script.slice(first.start, last.end),
        line: script.slice(0, first.start).split('\n').length,
        normalized: joinTokens(tokens),
      });
    tokens = [];
  };
  for (let position = 0; position < script.length; ) {
    const skipped = findSkippedEnd(script, position);
    if (skipped > position) {
      position = skipped;
      continue;
    }
    const token = readToken(script, position);
    if (token.normalized === ';') endStatement();
    else tokens.push(token);
    position = token.end;
  }
  endStatement();
  return statements;
}

function findSkippedEnd(script: string, start: number): number {
  const text = matchAt(SKIPPED, script, start);
  if (text !== undefined) return start + text.length;
  return script.startsWith('/*', start) ? findCommentEnd(script, start) : start;
}

/** Comments can be nested. */
function findCommentEnd(script: string, start: number): number {
  let depth = 0;
  for (let position = start; position < script.length; position += 2) {
    if (script.startsWith('/*', position)) depth += 1;
    else if (script.startsWith('*/', position)) depth -= 1;
    else position -= 1;
    if (depth === 0) return position + 2;
  }
  return script.length;
}

function readToken(script: string, start: number): Token {
  const literal =
    matchAt(ESCAPE_STRING, script, start) ?? matchAt(STRING, script, start) ?? matchAt(NUMBER, script, start);
  if (literal !== undefined) return { normalized: "''", start, end: start + literal.length };
  const dollar = matchAt(DOLLAR_QUOTE, script, start);
  if (dollar !== undefined) {
    const close = script.indexOf(dollar, start + dollar.length);
    return { normalized: "''", start, end: close === -1 ? script.length : close + dollar.length };
  }
  const name = matchAt(QUOTED_NAME, script, start);
  if (name !== undefined) return { normalized: normalizeName(name), start, end: start + name.length };
  const word = matchAt(WORD, script, start) ?? script.slice(start, start + 1);
  return { normalized: word.toLowerCase(), start, end: start + word.length };
}

/** Without quotes where they are not needed; a no-break space keeps a name one word. */
function normalizeName(name: string): string {
  return SIMPLE_NAME.test(name) ? name.slice(1, -1) : name.replaceAll(' ', '\u00a0');
}

/** The parts of `public.users` are one token. */
function joinTokens(tokens: readonly Token[]): string {
  return tokens
    .map(({ normalized }) => normalized)
    .join(' ')
    .replaceAll(' . ', '.');
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
