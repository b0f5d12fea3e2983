// Find the raw SQL statements of the sources with the types that they promise for their rows. Fragments are followed
// through constants, functions and parameters; of several variants one is taken.
import { relative } from 'node:path';
import ts from 'typescript';
import { findFunctionName, listSourceFiles } from './source-program.ts';

export interface RawStatement {
  /** File and line. */
  position: string;
  /** Of the function that has it. */
  name: string;
  /** Null for what is only known at run time; within a text `UNKNOWN_FRAGMENT` stands for it. */
  text: string | null;
  /** Null for a statement that returns no rows, or whose caller declares none. */
  row: RowType | null;
}

export interface ColumnType {
  /** Types of TypeScript without null, such as `string`, `bigint`, `Date`; literals by their type. */
  types: string[];
  isNullable: boolean;
}

/** By name. */
export type RowType = Map<string, ColumnType>;

/** Arguments by the symbol of their parameter. */
type Bindings = ReadonlyMap<ts.Symbol, ts.Expression>;

/** Text of a template between its parameters. */
type Parts = string[];

export const UNKNOWN_FRAGMENT = '\0';

const FRAGMENT_TYPE = 'Sql';
const MAX_DEPTH = 20;

export function collectRawStatements(program: ts.Program): RawStatement[] {
  const collector = new Collector(program.getTypeChecker());
  for (const file of listSourceFiles(program)) collector.visit(file);
  return collector.statements;
}

class Collector {
  readonly statements: RawStatement[] = [];
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  visit(node: ts.Node): void {
    if (ts.isTaggedTemplateExpression(node) && isRunner(node.tag))
      this.#add(node, node.template, node.tag.typeArguments?.[0]);
    if (ts.isCallExpression(node) && node.arguments[0] && isRunner(node.expression))
      this.#add(node, node.arguments[0], node.expression.typeArguments?.[0]);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #add(node: ts.Node, statement: ts.TemplateLiteral | ts.Expression, rowType: ts.TypeNode | undefined): void {
    const parts = ts.isTemplateLiteral(statement)
      ? this.#renderTemplate(statement, new Map(), 0)
      : this.#resolve(statement, new Map(), 0);
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    this.statements.push({
      position: `${relative(process.cwd(), file.fileName)}:${line + 1}`,
      name: findFunctionName(node),
      text: parts?.reduce((text, part, index) => `${text}$${index}${part}`) ?? null,
      row: rowType ? this.#readRow(this.#checker.getTypeFromTypeNode(rowType)) : null,
    });
  }

  #readRow(type: ts.Type): RowType {
    const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
    return new Map(
      this.#checker.getPropertiesOfType(element).map((property) => {
        const propertyType = this.#checker.getTypeOfSymbol(property);
        const members = propertyType.isUnion() ? propertyType.types : [propertyType];
        const isNull = (one: ts.Type) => (one.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
        const types = members.filter((one) => !isNull(one)).map((one) => this.#nameType(one));
        return [property.name, { types: [...new Set(types)], isNullable: members.some(isNull) }] as const;
      }),
    );
  }

  #nameType(type: ts.Type): string {
    const element =
      this.#checker.isArrayType(type) && this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (element) return `${this.#nameType(this.#checker.getNonNullableType(element))}[]`;
    // Without type parameters: `Uint8Array<ArrayBuffer>`.
    return this.#checker.typeToString(this.#checker.getBaseTypeOfLiteralType(type)).replace(/<.*/, '');
  }

  /** Without a tag, all that is inserted is text. */
  #renderTemplate(template: ts.TemplateLiteral, bindings: Bindings, depth: number): Parts | null {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
    const isTagged = ts.isTaggedTemplateExpression(template.parent);
    const parts: Parts = [template.head.text];
    for (const { expression, literal } of template.templateSpans) {
      const isParameter = isTagged && !this.#isFragment(expression);
      append(parts, isParameter ? ['', ''] : this.#resolveOrMark(expression, bindings, depth));
      append(parts, [literal.text]);
    }
    return parts;
  }

  #resolveOrMark(node: ts.Expression, bindings: Bindings, depth: number): Parts {
    return this.#resolve(node, bindings, depth + 1) ?? [UNKNOWN_FRAGMENT];
  }

  #isFragment(expression: ts.Expression): boolean {
    const type = this.#checker.getTypeAtLocation(expression);
    const members = type.isUnion() ? type.types : [type];
    return members.some((one) => one.symbol?.name === FRAGMENT_TYPE);
  }

  #resolve(node: ts.Expression, bindings: Bindings, depth: number): Parts | null {
    if (depth > MAX_DEPTH) return null;
    const next = (one: ts.Expression) => this.#resolve(one, bindings, depth + 1);
    if (ts.isTaggedTemplateExpression(node)) return this.#renderTemplate(node.template, bindings, depth);
    if (ts.isTemplateLiteral(node)) return this.#renderTemplate(node, bindings, depth);
    if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) return [node.text];
    if (ts.isObjectLiteralExpression(node)) return this.#resolveText(node, bindings, depth);
    const inner = skipAssertions(node);
    if (inner !== node) return next(inner);
    if (ts.isConditionalExpression(node)) return pickLonger(next(node.whenTrue), next(node.whenFalse));
    if (ts.isBinaryExpression(node)) return next(node.left) ?? next(node.right);
    if (ts.isCallExpression(node)) return this.#resolveCall(node, bindings, depth);
    if (node.getText() === 'Prisma.empty') return [''];
    if (ts.isElementAccessExpression(node)) {
      const member = this.#findFirstMember(node);
      return member ? next(member) : null;
    }
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node))
      return this.#resolveSymbol(node, bindings, depth) ?? this.#readLiteral(node);
    return null;
  }

  /** Of `{ text, values }`. */
  #resolveText(statement: ts.ObjectLiteralExpression, bindings: Bindings, depth: number): Parts | null {
    const text = statement.properties.find(({ name }) => name?.getText() === 'text');
    if (text && ts.isPropertyAssignment(text)) return this.#resolve(text.initializer, bindings, depth + 1);
    return text && ts.isShorthandPropertyAssignment(text)
      ? this.#resolve(text.name, bindings, depth + 1)
      : null;
  }

  /** `FRAGMENTS[name]`: the first of a constant object. */
  #findFirstMember({ expression }: ts.ElementAccessExpression): ts.Expression | null {
    const declaration = this.#findSymbol(expression)?.valueDeclaration;
    if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return null;
    const object = skipAssertions(declaration.initializer);
    const [first] = ts.isObjectLiteralExpression(object) ? object.properties : [];
    return first && ts.isPropertyAssignment(first) ? first.initializer : null;
  }

  #resolveSymbol(
    node: ts.Identifier | ts.PropertyAccessExpression,
    bindings: Bindings,
    depth: number,
  ): Parts | null {
    const symbol = this.#findSymbol(node);
    const bound = symbol && bindings.get(symbol);
    if (bound) return this.#resolve(bound, bindings, depth + 1);
    const declaration = symbol?.valueDeclaration;
    if (!declaration) return null;
    if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration))
      return declaration.initializer ? this.#resolve(declaration.initializer, bindings, depth + 1) : null;
    if (ts.isShorthandPropertyAssignment(declaration)) {
      const value = this.#checker.getShorthandAssignmentValueSymbol(declaration)?.valueDeclaration;
      return value && ts.isVariableDeclaration(value) && value.initializer
        ? this.#resolve(value.initializer, bindings, depth + 1)
        : null;
    }
    if (ts.isBindingElement(declaration)) return this.#resolveBindingElement(declaration, bindings, depth);
    return null;
  }

  /** `const { name } = create(…)` or `= OBJECTS[name]`: the property of the object that it is. */
  #resolveBindingElement(element: ts.BindingElement, bindings: Bindings, depth: number): Parts | null {
    const name = (element.propertyName ?? element.name).getText();
    const declaration = element.parent.parent;
    if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return null;
    for (const [returned, inner] of this.#listReturned(declaration.initializer, bindings)) {
      const value = ts.isElementAccessExpression(returned) ? this.#findFirstMember(returned) : returned;
      if (!value || !ts.isObjectLiteralExpression(value)) continue;
      for (const property of value.properties) {
        if (property.name?.getText() !== name) continue;
        if (ts.isPropertyAssignment(property)) return this.#resolve(property.initializer, inner, depth + 1);
        if (ts.isShorthandPropertyAssignment(property)) return this.#resolve(property.name, inner, depth + 1);
      }
    }
    return null;
  }

  #resolveCall(call: ts.CallExpression, bindings: Bindings, depth: number): Parts | null {
    const [argument] = call.arguments;
    if (call.expression.getText() === 'Prisma.raw') return argument ? this.#readLiteral(argument) : null;
    if (call.expression.getText() === 'Prisma.join') return this.#resolveJoin(call, bindings, depth);
    for (const [value, inner] of this.#listReturned(call, bindings)) {
      const parts = this.#resolve(value, inner, depth + 1);
      if (parts) return parts;
    }
    return null;
  }

  /** The text of a literal, or the first of a union of literals. */
  #readLiteral(node: ts.Expression): Parts | null {
    const type = this.#checker.getTypeAtLocation(node);
    const [first = type] = type.isUnion() ? type.types : [];
    return first.isStringLiteral() ? [first.value] : null;
  }

  /** Fragments of a list that are written there; what is spread from elsewhere is left out. */
  #resolveJoin(call: ts.CallExpression, bindings: Bindings, depth: number): Parts | null {
    const [list, separator] = call.arguments;
    if (!list) return null;
    const type = this.#checker.getTypeAtLocation(list);
    const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (element?.symbol?.name !== FRAGMENT_TYPE) return ['', ''];
    const elements = this.#listElements(list, bindings).map((one) => this.#resolve(one, bindings, depth + 1));
    const between = separator && ts.isStringLiteral(separator) ? separator.text : ',';
    const [first, ...others] = elements.filter((parts) => parts !== null);
    if (!first) return null;
    for (const parts of others) {
      append(first, [between]);
      append(first, parts);
    }
    return first;
  }

  #listElements(list: ts.Expression, bindings: Bindings): ts.Expression[] {
    if (ts.isArrayLiteralExpression(list))
      return list.elements.flatMap((element) =>
        ts.isSpreadElement(element) ? this.#listElements(element.expression, bindings) : [element],
      );
    const callback = ts.isCallExpression(list) ? list.arguments[0] : undefined;
    if (callback && ts.isArrowFunction(callback) && !ts.isBlock(callback.body)) return [callback.body];
    if (!ts.isIdentifier(list)) return [];
    const symbol = this.#findSymbol(list);
    const declaration = symbol?.valueDeclaration;
    const value =
      (symbol && bindings.get(symbol)) ??
      (declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined);
    return value ? this.#listElements(value, bindings) : [];
  }

  /** The expressions that a call can return, with the arguments that their parameters have. */
  #listReturned(call: ts.Expression, bindings: Bindings): [ts.Expression, Bindings][] {
    if (!ts.isCallExpression(call)) return [[call, bindings]];
    const member = ts.isElementAccessExpression(call.expression) && this.#findFirstMember(call.expression);
    const declaration =
      member && ts.isArrowFunction(member)
        ? member
        : this.#checker.getResolvedSignature(call)?.getDeclaration();
    if (!declaration || !('body' in declaration) || !declaration.body) return [];
    const inner = new Map(bindings);
    for (const [index, parameter] of declaration.parameters.entries()) {
      const symbol = ts.isIdentifier(parameter.name) && this.#checker.getSymbolAtLocation(parameter.name);
      const value = call.arguments[index] ?? parameter.initializer;
      if (symbol && value) inner.set(symbol, value);
    }
    const returned: [ts.Expression, Bindings][] = [];
    const { body } = declaration as { body: ts.Node };
    if (!ts.isBlock(body)) return [[body as ts.Expression, inner]];
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression) returned.push([node.expression, inner]);
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(body);
    return returned;
  }

  #findSymbol(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }
}

function skipAssertions(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    ? skipAssertions(node.expression)
    : node;
}

/** `querySql<Row>(connection)`: what follows is a statement. */
function isRunner(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && /^(?:query|execute)Sql$/.test(node.expression.getText());
}

/** Append parts whose first one continues the last. */
function append(parts: Parts, more: Parts): void {
  const [first = '', ...rest] = more;
  parts.push(`${parts.pop() ?? ''}${first}`, ...rest);
}

function pickLonger(one: Parts | null, other: Parts | null): Parts | null {
  return (one?.join('').length ?? -1) >= (other?.join('').length ?? -1) ? one : other;
}
