import { REQUIRED_IN_PRODUCTION } from '../src/config-problems.ts';
import { describeBounds, EnvironmentSchema } from '../src/config-variables.ts';

const TABLE_BEGIN_MARKER = '<!-- configuration -->';
const TABLE_END_MARKER = '<!-- /configuration -->';

/** The settings as a Markdown table of name, default and meaning, made from the schema of the environment. */
export function createConfigurationTable(): string {
  const rows = Object.entries(EnvironmentSchema.properties).map(([name, property]) => {
    const { default: byDefault } = readProperty(property);
    return [
      `\`${name}\``,
      byDefault === undefined ? '' : `\`${byDefault}\``,
      escapeCell(describeSetting(name, property)),
    ];
  });
  return alignColumns([['name', 'default', 'meaning'], ...rows]);
}

/** @throws Error when the schema has no description for the setting */
export function describeSetting(name: string, property: object): string {
  const { description } = readProperty(property);
  if (!description) throw new Error(`${name} has no description in src/config-variables.ts.`);
  const isRequired = REQUIRED_IN_PRODUCTION.some((required) => required === name);
  return [isRequired && 'Required in production.', description, describeBounds(property)]
    .filter(Boolean)
    .join(' ');
}

/** The text with the table between the two markers. Throws an Error when they are not there, once each. */
export function replaceConfigurationTable(text: string): string {
  const parts = text.split(TABLE_BEGIN_MARKER);
  const [before = '', rest = ''] = parts;
  const [, after] = rest.split(TABLE_END_MARKER);
  if (parts.length !== 2 || after === undefined) {
    throw new Error(
      `README.md needs the lines ${TABLE_BEGIN_MARKER} and ${TABLE_END_MARKER} where its table of settings shall be.`,
    );
  }
  return `${before}${TABLE_BEGIN_MARKER}\n\n${createConfigurationTable()}\n\n${TABLE_END_MARKER}${after}`;
}

/** Columns as wide as their widest cell, as the formatter wants them. */
function alignColumns(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const [head, ...body] = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const line = widths.map((width) => '-'.repeat(width));
  return [head ?? [], line, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function readProperty(property: object): { default?: unknown; description?: string } {
  return property;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
