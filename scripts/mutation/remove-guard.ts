import ts from 'typescript';
import { findSqlCondition } from './sql-condition.ts';

/** Without `without` and `returns` the declaration is a number, which becomes a thousand times larger. */
export interface SourceRemoval {
  /** The declaration at the top level of a source that has the guard. */
  name: string;
  /** A word of the condition, statement, property or element that is left out. */
  without?: string | undefined;
  /** The expression that a function returns instead of its result. */
  returns?: string | undefined;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** @throws Error when the declaration or the word is not found exactly once */
export function removeGuard(removal: SourceRemoval, text: string): string {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const declaration = findDeclaration(source, removal.name);
  if (!declaration) throw new Error(`${removal.name}: not declared`);
  const { start, end, text: replacement } = createEdit(removal, declaration, source);
  return text.slice(0, start) + replacement + text.slice(end);
}

function findDeclaration(source: ts.SourceFile, name: string): ts.Node | undefined {
  return source.statements
    .flatMap((statement): (ts.FunctionDeclaration | ts.ClassDeclaration | ts.VariableDeclaration)[] => {
      if (ts.isVariableStatement(statement)) return [...statement.declarationList.declarations];
      const hasBody = ts.isFunctionDeclaration(statement) ? statement.body : ts.isClassDeclaration(statement);
      return hasBody ? [statement as ts.FunctionDeclaration | ts.ClassDeclaration] : [];
    })
    .find(
      (declaration) =>
        declaration.name && ts.isIdentifier(declaration.name) && declaration.name.text === name,
    );
}

function createEdit(
  { name, without, returns }: SourceRemoval,
  declaration: ts.Node,
  source: ts.SourceFile,
): Edit {
  if (returns !== undefined) return replaceBody(name, declaration, returns);
  if (without === undefined) return enlarge(name, declaration);
  // A part of the declaration may have become a helper beside it.
  const removals = [declaration, source].map((scope) => listRemovals(scope, without));
  const [removal, ...others] = removals.find((found) => found.length > 0) ?? [];
  if (!removal) throw new Error(`${name}: has nothing removable with "${without}"`);
  if (others.length > 0) throw new Error(`${name}: has "${without}" in ${others.length + 1} places`);
  return removal;
}

function replaceBody(name: string, declaration: ts.Node, expression: string): Edit {
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  const body = initializer && ts.isFunctionLike(initializer) && 'body' in initializer && initializer.body;
  if (!body) throw new Error(`${name}: is no function`);
  return replaceNode(body, `{ return (${expression}); }`);
}

function enlarge(name: string, declaration: ts.Node): Edit {
  const value = ts.isVariableDeclaration(declaration) && declaration.initializer;
  if (!value || !isNumber(value)) throw new Error(`${name}: is no number`);
  return multiply(value);
}

function multiply(value: ts.Node): Edit {
  return replaceNode(value, `(${value.getText()}) * 1000`);
}

function isNumber(node: ts.Node): boolean {
  return (
    ts.isNumericLiteral(node) || (ts.isBinaryExpression(node) && isNumber(node.left) && isNumber(node.right))
  );
}

function listRemovals(scope: ts.Node, word: string): Edit[] {
  const edits = new Map<number, Edit>();
  const addRemovalAt = (leaf: ts.Node, position: number) => {
    const edit = findRemoval(leaf, position, scope);
    if (edit) edits.set(edit.start, edit);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (isTemplateText(node)) {
      for (const { index } of node.getText().matchAll(toWordPattern(word)))
        addRemovalAt(node, node.getStart() + index);
    } else if (isWord(node, word)) addRemovalAt(node, node.getStart());
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return [...edits.values()];
}

function toWordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\w-])${word.replace(/\W/g, '\\$&')}(?![\\w-])`, 'g');
}

function isTemplateText(node: ts.Node): boolean {
  return (
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

function isWord(node: ts.Node, word: string): boolean {
  if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) return node.text === word;
  if (!ts.isIdentifier(node) || node.text !== word) return false;
  const { parent } = node;
  const isDeclared =
    ts.isParameter(parent) || ts.isBindingElement(parent) || ts.isVariableDeclaration(parent);
  return !(isDeclared && parent.name === node);
}

/** Find the smallest part around a place that can be left out. */
function findRemoval(leaf: ts.Node, position: number, scope: ts.Node): Edit | null {
  for (let child = leaf; child !== scope && child.parent; child = child.parent) {
    const edit = createRemoval(child.parent, child, position);
    // Of a statement only a condition can be left out.
    if (edit || ts.isTaggedTemplateExpression(child.parent)) return edit;
  }
  return null;
}

function createRemoval(node: ts.Node, child: ts.Node, position: number): Edit | null {
  if (ts.isTemplateExpression(node)) return removeSqlCondition(node, position);
  if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(child))
    return removeSqlCondition(child, position);
  if (ts.isBinaryExpression(node)) return removeOperand(node, child);
  if (ts.isConditionalExpression(node) && child !== node.condition)
    return replaceNode(node, (child === node.whenTrue ? node.whenFalse : node.whenTrue).getText());
  if (ts.isIfStatement(node) && isRefusal(node)) return replaceNode(node.expression, 'false');
  if (ts.isExpressionStatement(node)) return replaceNode(node, ';');
  if (ts.isThrowStatement(node)) return isInRefusal(node) ? null : replaceNode(node, ';');
  if (ts.isPropertyAssignment(node) && isNumber(node.initializer)) return multiply(node.initializer);
  if (ts.isObjectLiteralElementLike(node) && !ts.isMethodDeclaration(node)) return removeListed(node);
  if (ts.isArrayLiteralExpression(node)) return removeListed(child);
  return null;
}

function removeOperand({ operatorToken: { kind } }: ts.BinaryExpression, operand: ts.Node): Edit | null {
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return replaceNode(operand, 'true');
  return kind === ts.SyntaxKind.BarBarToken ? replaceNode(operand, 'false') : null;
}

/** An `if` that only throws, returns or skips. */
function isRefusal({ thenStatement, elseStatement }: ts.IfStatement): boolean {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return (
    !elseStatement &&
    last !== undefined &&
    (ts.isThrowStatement(last) || ts.isReturnStatement(last) || ts.isContinueStatement(last))
  );
}

function isInRefusal({ parent }: ts.Node): boolean {
  const statement = ts.isBlock(parent) ? parent.parent : parent;
  return ts.isIfStatement(statement) && isRefusal(statement);
}

function removeListed(node: ts.Node): Edit {
  const text = node.getSourceFile().text;
  const comma = /^\s*,/.exec(text.slice(node.end))?.[0].length ?? 0;
  return { start: node.getStart(), end: node.end + comma, text: '' };
}

/** Keep the parameters of a condition: PostgreSQL has to know their types. */
function removeSqlCondition(template: ts.Node, position: number): Edit | null {
  const start = template.getStart();
  const condition = findSqlCondition(maskExpressions(template), position - start);
  if (!condition) return null;
  const text = template.getText().slice(condition.start, condition.end);
  return {
    start: start + condition.start,
    end: start + condition.end,
    text: condition.isAlternative ? `(${text} AND false)` : `(${text} OR true)`,
  };
}

function maskExpressions(template: ts.Node): string {
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  let text = template.getText();
  for (const { expression } of spans) {
    const at = expression.getStart() - template.getStart();
    text = text.slice(0, at) + 'x'.repeat(expression.getWidth()) + text.slice(at + expression.getWidth());
  }
  return text;
}

function replaceNode(node: ts.Node, text: string): Edit {
  return { start: node.getStart(), end: node.end, text };
}
