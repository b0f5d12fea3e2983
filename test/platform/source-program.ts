import { resolve } from 'node:path';
import ts from 'typescript';

/** Parse and resolve the sources, and further ones by their path, which need not exist. */
export function createSourceProgram(
  configFile: string,
  additions: Readonly<Record<string, string>> = {},
): ts.Program {
  const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(
    configFile,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => {},
    },
  ) ?? { options: {}, fileNames: [] };
  const added = new Map(Object.entries(additions).map(([name, text]) => [resolve(name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => added.has(name) || fileExists(name);
  host.readFile = (name) => added.get(name) ?? readFile(name);
  return ts.createProgram(
    [...new Set([...fileNames.filter((name) => name.includes('/src/')), ...added.keys()])],
    { ...options, noEmit: true },
    host,
  );
}

/** The files of `src` that are written by hand. */
export function listSourceFiles(program: ts.Program): ts.SourceFile[] {
  return program
    .getSourceFiles()
    .filter(
      ({ isDeclarationFile, fileName }) =>
        !isDeclarationFile && fileName.includes('/src/') && !fileName.includes('/generated/'),
    );
}

/** The outermost function, method or constant that a node is in; nothing for one at the top level of a file. */
export function findFunctionName(node: ts.Node): string {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isVariableDeclaration(node)) {
    const isOutermost = ts.isSourceFile(node.parent) || !ts.isVariableDeclaration(node);
    if (isOutermost || ts.isSourceFile(node.parent.parent.parent)) return node.name?.getText() ?? '';
  }
  return ts.isSourceFile(node) ? '' : findFunctionName(node.parent);
}
