// Find the statements of the sources that read or write records of accounts without naming the account.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { findUniqueIndexColumns, listAccessesWithoutOwner, listTables } from './owner-access.ts';
import { findBoundColumns, type PlanNode } from './plan-conditions.ts';
import type { PrismaCall } from './prisma-calls.ts';
import { type RawStatement, UNKNOWN_FRAGMENT } from './raw-statements.ts';
import { tryFragments } from './statement-description.ts';
import { TABLE_DISTRIBUTION } from './table-distribution.ts';

export interface UnboundStatement {
  /** File and line. */
  position: string;
  /** Of the function that has it. */
  name: string;
  problem: string;
}

const ACCOUNT_COLUMN = 'account_id';
const ACCOUNT_FIELD = 'accountId';

/** Who may act for an account is read before the account is known. */
const NOT_RECORDS = new Set(['memberships']);

/** EXPLAIN rejects it. */
const NO_QUERY_PATTERN = /^\s*LISTEN\b/;

const SCHEMA_FOLDER = 'prisma/schema';

const TABLES_BY_MODEL: ReadonlyMap<string, string> = new Map(
  readdirSync(SCHEMA_FOLDER)
    .flatMap((file) =>
      readFileSync(`${SCHEMA_FOLDER}/${file}`, 'utf8')
        .split(/^model /m)
        .slice(1),
    )
    .map((text) => [/^\w+/.exec(text)?.[0] ?? '', /@@map\("(\w+)"\)/.exec(text)?.[1] ?? '']),
);

/** Their data names the account, or does not compile. */
const INSERTING_OPERATIONS = new Set(['create', 'createMany', 'createManyAndReturn']);

export function isOwnedTable(table: string): boolean {
  const distribution = TABLE_DISTRIBUTION[table];
  const isByAccount = distribution?.by === 'OWNER' && distribution.column === ACCOUNT_COLUMN;
  return isByAccount && !NOT_RECORDS.has(table);
}

/** Find statements by hand that compare `account_id` of an owned table neither with a value nor with such a column. */
export async function findUnboundStatements(
  client: pg.Client,
  statements: readonly Pick<RawStatement, 'position' | 'name' | 'text'>[],
): Promise<UnboundStatement[]> {
  const columnsByIndex = await findUniqueIndexColumns(client);
  const unbound: UnboundStatement[] = [];
  for (const { position, name, text } of statements)
    for (const problem of new Set(await findProblems(text))) unbound.push({ position, name, problem });
  return unbound;

  async function findProblems(text: string | null): Promise<string[]> {
    const mentioned = listMentionedTables(text ?? '');
    try {
      const plan = await tryFragments(text ?? UNKNOWN_FRAGMENT, (attempt) => explain(client, attempt));
      if (!plan) return [];
      const planned = new Set(listTables(plan));
      return [
        ...listAccessesWithoutOwner(plan, findBoundColumns(plan), columnsByIndex, (table) =>
          isOwnedTable(table) ? ACCOUNT_COLUMN : undefined,
        ),
        ...mentioned.filter((table) => !planned.has(table)).map((table) => `${table}: not in the plan`),
      ];
    } catch (error) {
      if (NO_QUERY_PATTERN.test(text ?? '')) return [];
      return [error instanceof Error ? error.message : String(error)];
    }
  }
}

async function explain(client: pg.Client, text: string): Promise<PlanNode | null> {
  const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`);
  return rows[0]?.['QUERY PLAN'][0].Plan ?? null;
}

/** The owned tables that a statement names. */
export function listMentionedTables(text: string): string[] {
  const names = [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter(isOwnedTable);
}

/** Find calls of Prisma on owned models whose `where` does not name the account. */
export function findUnboundCalls(calls: readonly PrismaCall[]): UnboundStatement[] {
  return calls
    .filter(({ model, operation }) => isOwnedModel(model) && !INSERTING_OPERATIONS.has(operation))
    .filter(({ conditions }) => !conditions.has(ACCOUNT_FIELD))
    .map(({ position, name, model, operation }) => ({
      position,
      name,
      problem: `${model}.${operation}: without the account`,
    }));
}

export function isOwnedModel(model: string): boolean {
  const table = TABLES_BY_MODEL.get(model);
  if (table === undefined) throw new Error(`${model}: no such model in ${SCHEMA_FOLDER}`);
  return isOwnedTable(table);
}
