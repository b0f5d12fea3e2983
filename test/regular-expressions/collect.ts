import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';

export interface RegularExpressionSource {
  file: string;
  line: number;
  pattern: string;
  flags: string;
}

/** Patterns in schemas are compiled with this flag by Ajv. */
const SCHEMA_FLAGS = 'u';

/** Collect the regular expressions of the sources: literals, `pattern` of schemas and constants `…_PATTERN`. */
export async function collectRegularExpressions(folder: string): Promise<RegularExpressionSource[]> {
  const found: RegularExpressionSource[] = [];
  for (const file of await listSources(folder))
    found.push(...collectFromSource(file, await readFile(file, 'utf8')));
  return found;
}

export function collectFromSource(file: string, text: string): RegularExpressionSource[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: RegularExpressionSource[] = [];
  const add = (node: ts.Node, pattern: string, flags: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ file, line, pattern, flags });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
      if (ts.isStringLiteralLike(node.initializer)) add(node, node.initializer.text, SCHEMA_FLAGS);
    } else if (ts.isVariableDeclaration(node) && node.name.getText().endsWith('_PATTERN')) {
      if (node.initializer && ts.isStringLiteralLike(node.initializer))
        add(node, node.initializer.text, SCHEMA_FLAGS);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** List `file: text` of each pattern that is put together at run time. */
export async function collectConstructedPatterns(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of await listSources(folder)) {
    const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
        found.push(`${file}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((file) => !file.startsWith(`${folder}/generated/`))
    .sort();
}
