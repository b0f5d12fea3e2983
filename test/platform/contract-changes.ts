import { findCreatedRelations } from '../../src/platform/migration-locks.rules.ts';
import { splitSqlStatements } from '../../src/platform/sql-statements.ts';

const CREATED = /^create (?:unlogged )?(?:table|view|schema|extension|function|procedure|type|sequence) /;
/** No version reads them, and PostgreSQL keeps their columns. */
const REPLACED_REPORTING_VIEW = /^create or replace view reporting ?\. ?/;
const INDEX = /^create (?<unique>unique )?index (?!concurrently ).*?\bon (?:only )?(?<table>[^ ]+)/;
const OF_NEW_TABLE = /^(?:create (?:constraint )?trigger .*?\bon|insert into) (?<table>[^ ]+) /;
const WITHOUT_EFFECT = /^(?:comment on|grant|alter default privileges|set local) /;
const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?(?<table>[^ ]+) (?<actions>.*)$/;
const EXPANDING_ACTION =
  /^(?:add column (?!.* not null(?!.* default ))|validate constraint |(?:re)?set \(|alter (?:column )?[^ ]+ set statistics )/;
const REFERENCE = / references (?<table>[^ ]+)(?<options>[^,]*)/g;

/**
 * Find the statements of a migration after which an earlier version may fail, by line: everything that is not known to
 * only add. See docs/adr/0035-expand-and-contract.md.
 */
export function findContractChanges(sql: string): { line: number; statement: string }[] {
  const created = new Set<string>();
  return splitSqlStatements(sql).flatMap((statement) => {
    for (const name of findCreatedRelations(statement)) created.add(name);
    const { line, normalized } = statement;
    return isExpanding(normalized, created) ? [] : [{ line, statement: normalized }];
  });
}

function isExpanding(normalized: string, created: ReadonlySet<string>): boolean {
  if (WITHOUT_EFFECT.test(normalized)) return true;
  if (REPLACED_REPORTING_VIEW.test(normalized)) return true;
  if (CREATED.test(normalized)) return hasHarmlessReferences(normalized, created);
  const index = INDEX.exec(normalized)?.groups;
  if (index) return index.unique === undefined || created.has(index.table ?? '');
  const target = OF_NEW_TABLE.exec(normalized)?.groups;
  if (target) return created.has(target.table ?? '');
  const altered = ALTER_TABLE.exec(normalized)?.groups;
  if (!altered || / rename | to /.test(normalized)) return false;
  if (created.has(altered.table ?? '')) return hasHarmlessReferences(normalized, created);
  const actions = splitActions(altered.actions ?? '');
  return (
    actions.every((action) => EXPANDING_ACTION.test(action)) && hasHarmlessReferences(normalized, created)
  );
}

/** An earlier version deletes rows without knowing those that refer to them. */
function hasHarmlessReferences(normalized: string, created: ReadonlySet<string>): boolean {
  return [...normalized.matchAll(REFERENCE)].every(
    ({ groups }) =>
      created.has(groups?.table ?? '') || / on delete (?:cascade|set null)/.test(groups?.options ?? ''),
  );
}

function splitActions(actions: string): string[] {
  return actions.split(/ , (?=(?:add|drop|alter|set|reset|validate|enable|disable|owner|attach|detach) )/);
}
