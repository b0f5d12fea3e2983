export interface SqlCondition {
  start: number;
  end: number;
  /** It is an operand of OR, so that leaving it out means false. */
  isAlternative: boolean;
}

interface SqlToken {
  text: string;
  start: number;
  end: number;
}

const TOKEN_PATTERN = /'[^']*'|\w+|[()]/g;
const START_KEYWORDS = new Set(['WHERE', 'AND', 'OR', 'ON', 'WHEN', 'HAVING']);
const OTHER_KEYWORDS = new Set(
  (
    'SELECT FROM SET VALUES BY LIMIT RETURNING JOIN LEFT INNER CROSS GROUP ORDER FOR UNION THEN ELSE END ' +
    'WITH INSERT UPDATE DELETE DO AS'
  ).split(' '),
);

/** Find the condition of a statement, or of a part of one, that a position is in: the text between its keywords. */
export function findSqlCondition(sql: string, position: number): SqlCondition | null {
  const tokens = [...sql.matchAll(TOKEN_PATTERN)].map(
    ({ 0: text, index }): SqlToken => ({ text, start: index, end: index + text.length }),
  );
  const at = tokens.findIndex(({ end }) => end > position);
  const first = findBoundary(tokens, at < 0 ? tokens.length - 1 : at, -1);
  const last = findBoundary(tokens, at < 0 ? tokens.length - 1 : at, 1);
  const [before, after] = [tokens[first], tokens[last]];
  if (before ? OTHER_KEYWORDS.has(before.text) : !/\b(?:AND|OR|IN|IS|NOT|EXISTS)\b|[<=>]/.test(sql))
    return null;
  const inner = sql.slice(before ? before.end : 1, after ? after.start : sql.length - 1);
  const start = (before ? before.end : 1) + inner.length - inner.trimStart().length;
  return {
    start,
    end: start + inner.trim().length,
    isAlternative: before?.text === 'OR' || after?.text === 'OR',
  };
}

/** The keyword or the parenthesis of a group that ends the condition in a direction. */
function findBoundary(tokens: readonly SqlToken[], from: number, step: 1 | -1): number {
  let depth = 0;
  for (let index = from; index >= 0 && index < tokens.length; index += step) {
    const text = tokens[index]?.text ?? '';
    if (text === (step > 0 ? '(' : ')')) depth++;
    else if (text === (step > 0 ? ')' : '(')) {
      if (depth === 0 && isGroup(tokens, step > 0 ? findOpening(tokens, index) : index)) return index;
      if (depth > 0) depth--;
    } else if (depth === 0 && (START_KEYWORDS.has(text) || OTHER_KEYWORDS.has(text))) return index;
  }
  return step > 0 ? tokens.length : -1;
}

function findOpening(tokens: readonly SqlToken[], closing: number): number {
  let depth = 0;
  for (let index = closing; index >= 0; index--) {
    const text = tokens[index]?.text;
    if (text === ')') depth++;
    else if (text === '(' && --depth === 0) return index;
  }
  return -1;
}

/** Whether a parenthesis is of a group of conditions or of a subquery, unlike that of a function or a list. */
function isGroup(tokens: readonly SqlToken[], opening: number): boolean {
  const before = tokens[opening - 1]?.text ?? 'WHERE';
  return (
    before === '(' || before === 'NOT' || START_KEYWORDS.has(before) || tokens[opening + 1]?.text === 'SELECT'
  );
}
