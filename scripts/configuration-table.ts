import { REQUIRED_IN_PRODUCTION } from '../src/config-problems.ts';
import { describeBounds, EnvironmentSchema } from '../src/config-variables.ts';

const BEGIN = '<!-- configuration -->';
const END = '<!-- /configuration -->';

/** The settings as a Markdown table of name, default and meaning, made from the schema of the environment. */
export function configurationTable(): string {
  const rows = Object.entries(EnvironmentSchema.properties).map(([name, property]) => {
    const { default: byDefault } = readProperty(property);
    return [
      `\`${name}\``,
      byDefault === undefined ? '' : `\`${byDefault}\``,
      escaped(describeSetting(name, property)),
    ];
  });
  return aligned([['name', 'default', 'meaning'], ...rows]);
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
export function withConfigurationTable(text: string): string {
  const parts = text.split(BEGIN);
  const [before = '', rest = ''] = parts;
  const [, after] = rest.split(END);
  if (parts.length !== 2 || after === undefined) {
    throw new Error(`README.md needs the lines ${BEGIN} and ${END} where its table of settings shall be.`);
  }
  return `${before}${BEGIN}\n\n${configurationTable()}\n\n${END}${after}`;
}

/** Columns as wide as their widest cell, as the formatter wants them. */
function aligned(rows: readonly string[][]): string {
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

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
