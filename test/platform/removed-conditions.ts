// Take conditions on the account out of the sources, to learn whether a check notices.
import { relative } from 'node:path';
import ts from 'typescript';
import { findFunctionName, listSourceFiles } from './source-program.ts';

export interface AccountCondition {
  path: string;
  /** Of the function that has it. */
  name: string;
  /** In SQL by hand, or in `where` of a call of Prisma. */
  kind: 'SQL' | 'PRISMA';
  start: number;
  end: number;
  replacement: string;
}

const SQL_CONDITION_PATTERN = /(?<!SET )\b(?:\w+\.)?account_id = (?:\$\{\w+(?:\.\w+)?\}|\$\d+)/g;

/** List the places of repositories that compare the account with a value. */
export function listAccountConditions(program: ts.Program): AccountCondition[] {
  // Binds the files: their nodes know their parents.
  program.getTypeChecker();
  return listSourceFiles(program)
    .filter(({ fileName }) => fileName.endsWith('.repository.ts'))
    .flatMap((file) => [...listSqlConditions(file), ...listPrismaConditions(file)]);
}

function listSqlConditions(file: ts.SourceFile): AccountCondition[] {
  const found: AccountCondition[] = [];
  visit(file, (node) => {
    if (!ts.isTemplateLiteral(node)) return;
    for (const { 0: text, index } of node.getText().matchAll(SQL_CONDITION_PATTERN)) {
      const start = node.getStart() + index;
      found.push({ ...describe(node, 'SQL'), start, end: start + text.length, replacement: 'true' });
    }
  });
  return found;
}

function listPrismaConditions(file: ts.SourceFile): AccountCondition[] {
  const found: AccountCondition[] = [];
  visit(file, (node) => {
    if (!ts.isObjectLiteralExpression(node) || !isWhere(node)) return;
    for (const property of node.properties)
      if (property.name?.getText() === 'accountId')
        found.push({
          ...describe(node, 'PRISMA'),
          start: property.getStart(),
          end: property.getEnd(),
          replacement: '...{}',
        });
  });
  return found;
}

function visit(node: ts.Node, callback: (node: ts.Node) => void): void {
  callback(node);
  ts.forEachChild(node, (child) => visit(child, callback));
}

function isWhere({ parent }: ts.ObjectLiteralExpression): boolean {
  return (
    (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) && parent.name.getText() === 'where'
  );
}

function describe(node: ts.Node, kind: AccountCondition['kind']) {
  return { path: relative(process.cwd(), node.getSourceFile().fileName), name: findFunctionName(node), kind };
}

/** The sources without the conditions, by path. */
export function removeConditions(
  program: ts.Program,
  conditions: readonly AccountCondition[],
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { path, start, end, replacement } of conditions.toSorted(
    (one, other) => other.start - one.start,
  )) {
    const text = texts[path] ?? program.getSourceFile(`${process.cwd()}/${path}`)?.text ?? '';
    texts[path] = text.slice(0, start) + replacement + text.slice(end);
  }
  return texts;
}
