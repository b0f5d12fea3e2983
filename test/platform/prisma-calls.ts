// Find the calls of Prisma's models in the sources, and which fields their conditions name.
import { relative } from 'node:path';
import ts from 'typescript';
import { findFunctionName, listSourceFiles } from './source-program.ts';

export interface PrismaCall {
  /** File and line. */
  position: string;
  /** Of the function that has it. */
  name: string;
  /** Such as `QrCode`. */
  model: string;
  /** Such as `findMany`. */
  operation: string;
  /** Fields that `where` names in every case, also as part of a key. */
  conditions: ReadonlySet<string>;
}

const DELEGATE_SUFFIX = 'Delegate';

/** To ask for the type of each call of a method would take many times as long. */
const OPERATION_PATTERN = /^(?:find|create|update|upsert|delete|count|aggregate|groupBy)/;

export function collectPrismaCalls(program: ts.Program): PrismaCall[] {
  const checker = program.getTypeChecker();
  return listSourceFiles(program).flatMap((file) => listCalls(file, checker));
}

function listCalls(file: ts.SourceFile, checker: ts.TypeChecker): PrismaCall[] {
  const calls: PrismaCall[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      OPERATION_PATTERN.test(node.expression.name.text)
    ) {
      const model = findModel(checker.getTypeAtLocation(node.expression.expression));
      if (model) calls.push(readCall(node, node.expression, model, checker));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

function findModel(type: ts.Type): string | null {
  const name = type.symbol?.name ?? '';
  return name.endsWith(DELEGATE_SUFFIX) ? name.slice(0, -DELEGATE_SUFFIX.length) : null;
}

function readCall(
  call: ts.CallExpression,
  { name }: ts.PropertyAccessExpression,
  model: string,
  checker: ts.TypeChecker,
): PrismaCall {
  const file = call.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(name.getStart());
  const [argument] = call.arguments;
  const where = argument && readProperty(checker.getTypeAtLocation(argument), 'where', argument, checker);
  return {
    position: `${relative(process.cwd(), file.fileName)}:${line + 1}`,
    name: findFunctionName(call),
    model,
    operation: name.text,
    conditions: new Set(where ? listConditions(where, call, checker) : []),
  };
}

function readProperty(
  type: ts.Type,
  name: string,
  node: ts.Node,
  checker: ts.TypeChecker,
): ts.Type | undefined {
  const property = type.getProperty(name);
  return property && checker.getTypeOfSymbolAtLocation(property, node);
}

/** The fields of an object by its type: of a union those of each member. */
function listConditions(where: ts.Type, node: ts.Node, checker: ts.TypeChecker): string[] {
  if (where.isUnion()) {
    const [first = [], ...others] = where.types.map((one) => listConditions(one, node, checker));
    return first.filter((name) => others.every((other) => other.includes(name)));
  }
  return where.getProperties().flatMap((property) => {
    if (property.flags & ts.SymbolFlags.Optional) return [];
    const type = checker.getTypeOfSymbolAtLocation(property, node);
    // Prisma leaves out a condition whose value is undefined.
    if (canBeUndefined(type)) return [];
    // A key of several columns is named after them.
    const isKey = property.name.includes('_') && (type.flags & ts.TypeFlags.Object) !== 0;
    return [property.name, ...(isKey ? listConditions(type, node, checker) : [])];
  });
}

function canBeUndefined(type: ts.Type): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.some((one) => (one.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Any)) !== 0);
}
