// Read which rows a plan is about: what the conditions that PostgreSQL prints compare a column with.

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter'] as const;
const JOIN_CONDITIONS = ['Hash Cond', 'Merge Cond', 'Join Filter'] as const;

export interface PlanNode
  extends Partial<Record<(typeof CONDITIONS)[number] | (typeof JOIN_CONDITIONS)[number], string>> {
  'Node Type': string;
  'Join Type'?: string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  Schema?: string;
  Alias?: string;
  Output?: string[];
  Operation?: string;
  'Conflict Resolution'?: string;
  'Conflict Arbiter Indexes'?: string[];
  Plans?: PlanNode[];
}

/** One side of a comparison depends on the other. */
interface Comparison {
  column: string;
  with: string;
  /** Alias of the table whose scan has the condition; undefined for a condition of a join. */
  scanned?: string | undefined;
}

/** The joined input whose rows the condition of a join leaves out; inner joins leave out rows of both. */
const RESTRICTED_INPUTS: Readonly<Record<string, number | null>> = {
  Left: 1,
  Anti: 1,
  Right: 0,
  'Right Anti': 0,
  Full: null,
};

/** Find the columns, as `alias.column`, that the scan of their table, or a join, compares with anything. */
export function findComparedColumns(plan: PlanNode): ReadonlySet<string> {
  const comparisons = listComparisons(plan, listAliases(plan));
  return new Set(
    comparisons
      .filter(({ column, scanned }) => scanned === undefined || scanned === getAlias(column))
      .map(({ column }) => column),
  );
}

/** Find the columns, as `alias.column`, that are compared with a value, or with a column that is. */
export function findBoundColumns(plan: PlanNode): ReadonlySet<string> {
  const tables = listAliases(plan);
  const comparisons = listComparisons(plan, tables);
  const isValue = (side: string) => !tables.has(getAlias(side) ?? '');
  const bound = new Set<string>();
  for (let previous = -1; previous < bound.size; ) {
    previous = bound.size;
    for (const { column, with: other } of comparisons)
      if (isValue(other) || bound.has(other)) bound.add(column);
  }
  return bound;
}

/** The alias of a table in the conditions; all partitions have that of their table. */
export function getTableAlias({ Alias = '', Schema }: PlanNode): string {
  return Schema === 'partitions' ? Alias.replace(/_\d+$/, '') : Alias;
}

function listAliases(node: PlanNode): Set<string> {
  const own = node['Relation Name'] === undefined ? [] : [node.Alias ?? '', getTableAlias(node)];
  return new Set([...own, ...(node.Plans ?? []).flatMap((part) => [...listAliases(part)])]);
}

function listComparisons(plan: PlanNode, tables: ReadonlySet<string>): Comparison[] {
  const found: Comparison[] = [];
  const hashed = new Set(JSON.stringify(plan).match(/(?<=hashed )SubPlan \d+/g));
  visit(plan, tables);
  return found;

  function visit(node: PlanNode, scope: ReadonlySet<string>): void {
    const inputs = node.Plans ?? [];
    const restricted = RESTRICTED_INPUTS[node['Join Type'] ?? ''];
    for (const name of CONDITIONS) add(node[name], scope, node.Alias);
    for (const name of JOIN_CONDITIONS)
      add(node[name], restricted === undefined ? scope : getInputScope(inputs, restricted));
    inputs.forEach((input, index) => {
      const isSubplan = input['Subplan Name'] !== undefined;
      const isRestricted = restricted !== undefined && index === restricted;
      visit(input, isSubplan || isRestricted ? listAliases(input) : scope);
      // Each row is compared with what a hashed subplan returns.
      if (hashed.has(input['Subplan Name'] ?? ''))
        for (const column of input.Output ?? []) found.push({ column: normalize(column), with: '' });
    });
  }

  function add(condition: string | undefined, scope: ReadonlySet<string>, scanned?: string): void {
    if (condition === undefined) return;
    for (const comparison of parseConjunction(condition, tables))
      if (scope.has(getAlias(comparison.column) ?? '')) found.push({ ...comparison, scanned });
  }
}

function getInputScope(inputs: readonly PlanNode[], index: number | null): Set<string> {
  const input = index === null ? undefined : inputs[index];
  return input ? listAliases(input) : new Set();
}

function parseConjunction(condition: string, tables: ReadonlySet<string>): Comparison[] {
  const text = unwrap(condition);
  const conjuncts = split(text, ' AND ');
  if (conjuncts.length > 1) return conjuncts.flatMap((one) => parseConjunction(one, tables));
  const alternatives = split(text, ' OR ');
  if (alternatives.length > 1) return parseDisjunction(alternatives, tables);
  const sides = split(text, ' = ').map(normalize);
  const [left = '', right = ''] = sides;
  if (sides.length !== 2) return [];
  return [
    { column: left, with: right },
    { column: right, with: left },
  ].filter(({ column }) => tables.has(getAlias(column) ?? ''));
}

/** What each alternative compares with a value. */
function parseDisjunction(alternatives: readonly string[], tables: ReadonlySet<string>): Comparison[] {
  const [first = [], ...others] = alternatives.map((one) =>
    parseConjunction(one, tables).filter((comparison) => !tables.has(getAlias(comparison.with) ?? '')),
  );
  return first.filter(({ column }) => others.every((other) => other.some((one) => one.column === column)));
}

/** Without the parentheses around the whole, and `ANY` before those of a hashed subplan. */
function unwrap(text: string): string {
  const inner = text.replace(/^\(ANY (?=\()/, '(').trim();
  if (!inner.startsWith('(') || findEnd(inner) !== inner.length - 1) return inner;
  return unwrap(inner.slice(1, -1));
}

/** The index of the parenthesis that closes the first one. */
function findEnd(text: string): number {
  for (const [index, depth] of listDepths(text)) if (depth === 0 && index > 0) return index;
  return -1;
}

/** Split at a separator that is within neither parentheses nor quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const [index, depth] of listDepths(text)) {
    if (depth !== 0 || index < start || !text.startsWith(separator, index)) continue;
    parts.push(text.slice(start, index));
    start = index + separator.length;
  }
  return [...parts, text.slice(start)];
}

/** How deep each character outside of quotes is in parentheses; a closing one is as deep as what follows. */
function* listDepths(text: string): Generator<[number, number]> {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (text[index] === '(') depth++;
    if (text[index] === ')') depth--;
    yield [index, depth];
  }
}

/** A column without casts and parentheses. */
function normalize(side: string): string {
  return unwrap(side).replace(/^\(?([\w"]+\.[\w"]+)\)?(?:::\w+)?$/, '$1');
}

function getAlias(side: string): string | undefined {
  return /^([\w"]+)\.\w+$/.exec(side)?.[1];
}
