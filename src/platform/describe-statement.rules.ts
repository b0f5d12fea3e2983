/** The first words say what it does; the rest can be long. */
const MAX_READ_CHARACTERS = 2_000;

const TABLE_KEYWORDS = ['from', 'into', 'update', 'copy'];

/** Name a statement by its verb and first table, such as `select users`: without values, and few names in all. */
export function describeStatement(statement: unknown): string {
  const words = getStatementText(statement)
    .slice(0, MAX_READ_CHARACTERS)
    .toLowerCase()
    .split(/[^a-z0-9_]/)
    .filter((word) => word !== '' && word !== 'public');
  const [verb = 'unknown'] = words;
  const keywordIndex = words.findIndex((word) => TABLE_KEYWORDS.includes(word));
  const table = keywordIndex < 0 ? undefined : words[keywordIndex + 1];
  return table === undefined || table === verb ? verb : `${verb} ${table}`;
}

/** Get the text of what is passed to the driver: a string, or an object with its text. */
export function getStatementText(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const text: unknown =
    typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'text') : '';
  return typeof text === 'string' ? text : '';
}
