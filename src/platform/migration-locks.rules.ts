import { type SqlStatement, splitSqlStatements } from './sql-statements.ts';

/** From weak to strong. Source: https://www.postgresql.org/docs/current/explicit-locking.html */
export const LOCK_MODES = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;

export type LockMode = (typeof LOCK_MODES)[number];

export interface RelationLock {
  /** A table with its partitions, a view or an index. */
  relation: string;
  mode: LockMode;
  line: number;
}

export interface MigrationLocks {
  /** The strongest lock on each relation that existed before. */
  locks: RelationLock[];
  /** Statements whose locks are not known. */
  unknown: SqlStatement[];
}

type Target = readonly [relation: string | undefined, mode: LockMode];

interface Rule {
  statement: RegExp;
  /** From the groups of the pattern; without ACCESS SHARE, for which nothing but ACCESS EXCLUSIVE waits. */
  locks?: (groups: Record<string, string>, normalized: string) => Target[];
}

const DROPPED_REFERENCE: Target = ['each table that a dropped foreign key refers to', 'ACCESS EXCLUSIVE'];

const CASCADED: Target = ['each table or view that CASCADE changes', 'ACCESS EXCLUSIVE'];

const PARTITION_CHANGED: readonly Target[] = [
  ['the default partition', 'ACCESS EXCLUSIVE'],
  ['each table that a foreign key of the partitioned table refers to', 'SHARE ROW EXCLUSIVE'],
];

/** The first rule that matches decides. A statement without a rule is unknown. */
const RULES: readonly Rule[] = [
  {
    statement: /^create (?:unlogged )?table (?:if not exists )?[^ ]+ partition of (?<parent>[^ ]+)/,
    locks: ({ parent }, sql) => [[parent, 'ACCESS EXCLUSIVE'], ...PARTITION_CHANGED, ...lockReferenced(sql)],
  },
  {
    // Without CREATE TABLE … AS, INHERITS and LIKE, which read another table.
    statement: /^create (?:unlogged )?table (?:if not exists )?[^ ]+ \((?!.* (?:inherits|like) )/,
    locks: (_groups, sql) => lockReferenced(sql),
  },
  {
    statement: /^create (?:unique )?index concurrently .*?\bon (?:only )?(?<table>[^ ]+)/,
    locks: ({ table }) => [[table, 'SHARE UPDATE EXCLUSIVE']],
  },
  {
    statement: /^create (?:unique )?index .*?\bon (?:only )?(?<table>[^ ]+)/,
    locks: ({ table }) => [[table, 'SHARE']],
  },
  {
    statement: /^create (?:or replace )?(?:constraint )?trigger .*?\bon (?<table>[^ ]+)/,
    locks: ({ table }) => [[table, 'SHARE ROW EXCLUSIVE']],
  },
  {
    statement: /^create or replace view (?<view>[^ ]+)/,
    locks: ({ view }) => [[view, 'ACCESS EXCLUSIVE']],
  },
  { statement: /^create (?:or replace )?(?:function|procedure) / },
  { statement: /^create (?:view|schema|extension|sequence|type|domain|collation) / },
  {
    statement: /^alter table (?:if exists )?(?:only )?(?<table>[^ ]+) (?<actions>.*)$/,
    locks: ({ table, actions = '' }) => lockForAlterTable(table, actions),
  },
  {
    statement: /^alter index (?:if exists )?(?<index>[^ ]+) (?:rename to|set \(|reset \()/,
    locks: ({ index }) => [[index, 'SHARE UPDATE EXCLUSIVE']],
  },
  {
    statement: /^alter (?:materialized )?view (?:if exists )?(?<view>[^ ]+) /,
    locks: ({ view }) => [[view, 'ACCESS EXCLUSIVE']],
  },
  {
    statement: /^alter trigger [^ ]+ on (?<table>[^ ]+) rename/,
    locks: ({ table }) => [[table, 'ACCESS EXCLUSIVE']],
  },
  {
    statement: /^alter sequence (?:if exists )?(?<sequence>[^ ]+) (?!owner|set schema|rename)/,
    locks: ({ sequence }) => [[sequence, 'SHARE ROW EXCLUSIVE']],
  },
  {
    statement: /^drop table (?:if exists )?(?<names>.+)$/,
    locks: ({ names = '' }) => [...lockNames(names), DROPPED_REFERENCE],
  },
  {
    statement: /^drop (?:view|materialized view|sequence) (?:if exists )?(?<names>.+)$/,
    locks: ({ names = '' }) => lockNames(names),
  },
  {
    statement: /^drop index (?!concurrently )(?:if exists )?(?<names>.+)$/,
    locks: ({ names = '' }) => [
      ...lockNames(names),
      ...splitNames(names).map((name): Target => [`the table of ${name}`, 'ACCESS EXCLUSIVE']),
    ],
  },
  {
    statement: /^drop (?:trigger|policy|rule) (?:if exists )?[^ ]+ on (?<table>[^ ]+)/,
    locks: ({ table }) => [[table, 'ACCESS EXCLUSIVE']],
  },
  { statement: /^drop (?:function|procedure) (?!.* cascade$)/ },
  {
    statement: /^truncate (?:table )?(?:only )?(?<names>[^(]+)$/,
    locks: ({ names = '' }) => lockNames(names),
  },
  {
    statement: /^refresh materialized view concurrently (?<view>[^ ]+)/,
    locks: ({ view }) => [[view, 'EXCLUSIVE']],
  },
  {
    statement: /^refresh materialized view (?<view>[^ ]+)/,
    locks: ({ view }) => [[view, 'ACCESS EXCLUSIVE']],
  },
  {
    statement: /^comment on column (?<table>.+)\.[^ .]+ is /,
    locks: ({ table }) => [[table, 'SHARE UPDATE EXCLUSIVE']],
  },
  {
    statement: /^comment on (?:table|view|materialized view|index|sequence) (?<relation>[^ ]+) is /,
    locks: ({ relation }) => [[relation, 'SHARE UPDATE EXCLUSIVE']],
  },
  {
    statement:
      /^comment on (?:constraint|trigger|rule|policy|schema|function|procedure|extension|type|database|role) /,
  },
  {
    // Without what their triggers and functions lock.
    statement: /^(?:insert into|update(?: only)?|delete from(?: only)?) (?<table>[^ ]+) /,
    locks: ({ table }) => [[table, 'ROW EXCLUSIVE']],
  },
  { statement: /^(?:grant|revoke|alter default privileges|set|reset) / },
];

/** From the first words of an action of ALTER TABLE; every other one takes ACCESS EXCLUSIVE. */
const ALTER_TABLE_ACTIONS: readonly { action: RegExp; mode: LockMode }[] = [
  { action: /^add (?:constraint [^ ]+ )?foreign key /, mode: 'SHARE ROW EXCLUSIVE' },
  { action: /^validate constraint /, mode: 'SHARE UPDATE EXCLUSIVE' },
  { action: /^(?:enable|disable) (?:replica |always )?trigger /, mode: 'SHARE ROW EXCLUSIVE' },
  { action: /^alter (?:column )?[^ ]+ set statistics /, mode: 'SHARE UPDATE EXCLUSIVE' },
  {
    action:
      /^(?:re)?set \( (?:(?:fillfactor|parallel_workers|(?:toast\.)?autovacuum_\w+)(?: = [^ ]+)?(?: , | \)))+$/,
    mode: 'SHARE UPDATE EXCLUSIVE',
  },
  { action: /^attach partition /, mode: 'SHARE UPDATE EXCLUSIVE' },
  { action: /^(?:cluster on|set without cluster)/, mode: 'SHARE UPDATE EXCLUSIVE' },
];

/** Derive the locks of a migration, which its transaction keeps until it ends, from its statements. */
export function deriveMigrationLocks(sql: string): MigrationLocks {
  const created = new Set<string>();
  const strongest = new Map<string, RelationLock>();
  const unknown: SqlStatement[] = [];
  for (const statement of splitSqlStatements(sql)) {
    const targets = deriveStatementLocks(statement);
    if (targets === undefined) unknown.push(statement);
    for (const [name, mode] of targets ?? []) {
      if (name === undefined) continue;
      const relation = formatRelation(name);
      const known = strongest.get(relation);
      if (created.has(relation) || (known && compareModes(known.mode, mode) >= 0)) continue;
      strongest.set(relation, { relation, mode, line: statement.line });
    }
    for (const name of findCreatedRelations(statement)) created.add(name);
  }
  const locks = [...strongest.values()].sort(
    (a, b) => compareModes(b.mode, a.mode) || a.relation.localeCompare(b.relation),
  );
  return { locks, unknown };
}

/** Find the tables, views and indexes that a statement creates: nobody else can wait for a lock on them. */
export function findCreatedRelations({ normalized }: SqlStatement): string[] {
  const renamed = /^alter (?:table|view|index) .* rename to (?<name>[^ ]+)$/.exec(normalized)?.groups?.name;
  if (renamed !== undefined) return [formatRelation(renamed)];
  // With IF NOT EXISTS it may exist already.
  const created =
    /^create (?:(?:unlogged|unique|materialized) )?(?<kind>table|view|index|sequence) (?!if )(?<name>[^ ]+)/.exec(
      normalized,
    )?.groups;
  if (!created) return [];
  const constraints = created.kind === 'table' ? [...normalized.matchAll(/ constraint ([^ ]+)/g)] : [];
  return [created.name, ...constraints.map(([, name]) => name)].map((name = '') => formatRelation(name));
}

export function compareModes(a: LockMode, b: LockMode): number {
  return LOCK_MODES.indexOf(a) - LOCK_MODES.indexOf(b);
}

function deriveStatementLocks({ normalized }: SqlStatement): Target[] | undefined {
  for (const { statement, locks } of RULES) {
    const match = statement.exec(normalized);
    if (match) return locks?.(match.groups ?? {}, normalized) ?? [];
  }
  return undefined;
}

function lockForAlterTable(table: string | undefined, actions: string): Target[] {
  return splitAtCommas(actions).flatMap((action): Target[] => {
    const mode = ALTER_TABLE_ACTIONS.find((known) => known.action.test(action))?.mode ?? 'ACCESS EXCLUSIVE';
    const partition = /^(?:attach|detach) partition (?<name>[^ ]+)/.exec(action)?.groups?.name;
    const parent = /^(?:no )?inherit (?<name>[^ ]+)/.exec(action)?.groups?.name;
    return [
      [table, mode],
      [partition, 'ACCESS EXCLUSIVE'],
      [parent, 'SHARE UPDATE EXCLUSIVE'],
      ...(partition === undefined ? [] : PARTITION_CHANGED),
      ...lockReferenced(action),
      ...(/^drop (?:column|constraint) /.test(action) ? [DROPPED_REFERENCE] : []),
      ...(/^drop .* cascade$/.test(action) ? [CASCADED] : []),
    ];
  });
}

/** What a foreign key refers to. */
function lockReferenced(normalized: string): Target[] {
  return [...normalized.matchAll(/ references ([^ ]+)/g)].map(([, name]) => [name, 'SHARE ROW EXCLUSIVE']);
}

/** Lock `a , b cascade`. */
function lockNames(names: string): Target[] {
  const targets = splitNames(names).map((name): Target => [name, 'ACCESS EXCLUSIVE']);
  return names.endsWith(' cascade') ? [...targets, CASCADED] : targets;
}

function splitNames(names: string): string[] {
  return names.split(' , ').map((name) => name.split(' ')[0] ?? '');
}

/** Split at commas outside of parentheses. */
function splitAtCommas(normalized: string): string[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of normalized.split(' ')) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.map((part) => part.join(' '));
}

function formatRelation(name: string): string {
  return name.replace(/^public\./, '').replaceAll('\u00a0', ' ');
}
