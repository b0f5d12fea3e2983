/** The first words say what it does; the rest can be long. */
const MAX_READ_CHARACTERS = 2_000;

/** A comment at the beginning of a statement that its words would not describe: in `pg_stat_activity`, too. */
const NAME_PATTERN = /^\s*\/\* ([a-z_]{1,30}(?: [a-z_]{1,30}){0,3}) \*\//;
const TOKEN_PATTERN = /--[^\n]*|'[^']*'|[a-z0-9_.$]+|[()]/g;

interface Word {
  text: string;
  /** In how many parentheses it is. */
  depth: number;
  isCall: boolean;
}

/**
 * Name a statement by its comment, or by verb and main table, such as `select users`: without values, and few names in
 * all.
 */
export function describeStatement(statement: unknown): string {
  const text = getStatementText(statement).slice(0, MAX_READ_CHARACTERS);
  const name = NAME_PATTERN.exec(text)?.[1];
  if (name !== undefined) return name;
  const words = parseWords(text);
  const [first] = words;
  if (!first) return 'unknown';
  const change = findChange(words);
  if (change) return change;
  const table = findMainTable(words);
  const verb = first.text === 'with' ? 'select' : first.text;
  return table === undefined ? verb : `${verb} ${table}`;
}

/** Get the text of what is passed to the driver: a string, or an object with its text. */
export function getStatementText(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const text: unknown =
    typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'text') : '';
  return typeof text === 'string' ? text : '';
}

function parseWords(text: string): Word[] {
  const words: Word[] = [];
  let depth = 0;
  for (const [token] of text.toLowerCase().replaceAll('"', '').matchAll(TOKEN_PATTERN)) {
    const last = words.at(-1);
    if (token === '(') {
      depth += 1;
      if (last) last.isCall = true;
    } else if (token === ')') depth -= 1;
    else if (!token.startsWith('--') && !token.startsWith("'"))
      words.push({ text: token.replace(/^public\./, ''), depth, isCall: false });
  }
  return words;
}

/** Find the first table that is changed, also by a part of a `WITH`. */
function findChange(words: readonly Word[]): string | undefined {
  for (const [index, { text }] of words.entries()) {
    const [previous, next, afterNext] = [words[index - 1], words[index + 1], words[index + 2]];
    const isChange = ['insert into', 'delete from', 'merge into'].includes(`${text} ${next?.text}`);
    if (isChange && afterNext) return `${text} ${afterNext.text}`;
    // Not a lock, and not the rest of an INSERT.
    const isUpdate = text === 'update' && !['for', 'key', 'do'].includes(previous?.text ?? '');
    if (isUpdate && next) return `update ${next.text === 'only' ? afterNext?.text : next.text}`;
  }
  return undefined;
}

/** Find the outermost table that is read: neither a function nor a part of the `WITH`. */
function findMainTable(words: readonly Word[]): string | undefined {
  const parts = new Set(
    words.flatMap(({ text }, index) => {
      const [as, next] = [words[index + 1], words[index + 2]];
      // Not an alias: `sessions AS session`.
      const isPart =
        as?.text === 'as' && (as.isCall || next?.text === 'materialized' || next?.text === 'not');
      return isPart ? [text] : [];
    }),
  );
  const tables = words.flatMap((word, index) => {
    const previous = words[index - 1]?.text ?? '';
    const isTable = ['from', 'join', 'copy'].includes(previous) && !word.isCall && !parts.has(word.text);
    return isTable && word.text !== 'select' && word.text !== 'lateral' ? [word] : [];
  });
  const minDepth = Math.min(...tables.map(({ depth }) => depth));
  return tables.find(({ depth }) => depth === minDepth)?.text;
}
