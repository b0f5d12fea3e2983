/** One import of a file: where it stands and what it names, as written. */
export interface FoundImport {
  line: number;
  /** Module specifier; `null` where it is computed and cannot be read. */
  specifier: string | null;
  /** Whether it is loaded together with the file: neither a type nor a dynamic import. */
  isEager: boolean;
}

// Text is searched as it stands, comments included: a sentence that looks like an import is reported and
// can be reworded, while nothing that is an import can hide behind an odd quote or comment.
const LITERAL_IMPORT_PATTERNS = [
  /\bfrom\s*(['"])(?<specifier>[^'"\s]+)\1/g,
  /\bimport\s*(['"])(?<specifier>[^'"\s]+)\1/g,
  /(?:\bimport|\brequire(?:\.resolve)?|\bcreateRequire\(.*?\)(?:\.resolve)?|\bimport\.meta\.resolve)\(\s*(['"`])(?<specifier>[^'"`\s]+)\1/g,
];
const COMPUTED_IMPORT_PATTERN = /\bimport\(\s*(?!['"`\s])/g;

/** Every import of a TypeScript source, static or dynamic, of values or of types, in the order of its lines. */
export function readImports(source: string): FoundImport[] {
  const found: FoundImport[] = [];
  for (const pattern of LITERAL_IMPORT_PATTERNS) {
    for (const match of source.matchAll(pattern)) {
      const specifier = match.groups?.specifier ?? '';
      found.push({
        // The end of the match is where the specifier stands, also when the statement spans lines.
        line: getLineNumber(source, match.index + match[0].length),
        specifier: specifier.includes('${') ? null : specifier,
        isEager: isEagerImport(source, match.index, match[0]),
      });
    }
  }
  for (const match of source.matchAll(COMPUTED_IMPORT_PATTERN)) {
    found.push({ line: getLineNumber(source, match.index), specifier: null, isEager: false });
  }
  return found.sort((a, b) => a.line - b.line);
}

function isEagerImport(source: string, index: number, match: string): boolean {
  if (match.startsWith('import')) return !/^import(\.meta\.resolve)?\(/.test(match);
  if (!match.startsWith('from')) return true;
  const statement = source
    .slice(0, index)
    .match(/\b(?:import|export)\b(?:(?!\b(?:import|export)\b)[\s\S])*$/)?.[0];
  return !/^(import|export)\s+type\b/.test(statement ?? '');
}

function getLineNumber(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
