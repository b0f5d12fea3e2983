import type { Static } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import { type ColumnMapping, isKnownColumn, toColumnName, toPrintableLabel } from './csv-columns.ts';
import type { ImportMapping } from './imports.schemas.ts';

/** Convert a mapping by the texts of a header to one by position; its errors name what the header does not have. */
export function mapColumns(
  { kind = null, columns = {} }: Static<typeof ImportMapping>,
  header: readonly string[],
): { mapping: ColumnMapping; errors: FieldError[] } {
  const nameByLabel = new Map(
    Object.entries(columns).map(([label, name]) => [label.trim(), name && toColumnName(name)]),
  );
  const labels = header.map((cell) => cell.trim());
  const errors = [...nameByLabel].flatMap(([label, name]): FieldError[] => {
    const field = `mapping.columns.${toPrintableLabel(label)}`;
    if (!labels.includes(label))
      return [{ field, code: 'UNKNOWN_FIELD', message: 'The file has no such column.' }];
    if (name === null || isKnownColumn(name)) return [];
    return [{ field, code: 'NOT_ALLOWED', message: 'Is not a column of an import.' }];
  });
  // The header decides where the name is empty.
  const mapped = labels.map((label) => (nameByLabel.has(label) ? (nameByLabel.get(label) ?? null) : ''));
  return { mapping: { kind, columns: mapped }, errors: errors.slice(0, 20) };
}

/** Read the mapping of a stored import. */
export function parseColumnMapping(stored: unknown): ColumnMapping | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, columns } = stored as ColumnMapping;
  return { kind, columns };
}
