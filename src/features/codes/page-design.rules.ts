import { type Static, Type } from 'typebox';
import { MIN_TEXT_CONTRAST } from '../../shared/brand.ts';
import { computeContrastRatio } from '../../shared/color-contrast.ts';
import type { FieldError } from '../../shared/errors.ts';
import { findSchemaErrors } from './kinds/validate-data.ts';

/** Sections of finder pages that owners can order. */
export const PAGE_SECTIONS = [
  'URGENT',
  'CONTACTS',
  'ACTIONS',
  'NETWORK',
  'TEXT',
  'DETAILS',
  'PIN',
  'DOCUMENTS',
  'MEMORIAL',
  'PHOTOS',
  'STORY',
  'PLACES',
  'GUEST_BOOK',
] as const;

export type PageSection = (typeof PAGE_SECTIONS)[number];

const members = {
  accentColor: Type.Optional(
    Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      description: `Color of buttons and links, #rrggbb. White text on it must have a contrast of ${MIN_TEXT_CONTRAST}:1; dark pages use a lighter tone.`,
    }),
  ),
  sectionOrder: Type.Optional(
    Type.Array(Type.Unsafe<PageSection>({ type: 'string', enum: [...PAGE_SECTIONS] }), {
      uniqueItems: true,
      description:
        'Sections in your order; others follow in theirs. A lost item says so first, and an emergency card starts with what helpers need.',
    }),
  ),
};

const PageDesignInput = Type.Object(members, { additionalProperties: false });

export const PageDesign = Type.Object(members, {
  $id: 'PageDesign',
  additionalProperties: false,
  description: 'Design of the page that finders see; only what you set.',
});

export type PageDesign = Static<typeof PageDesign>;

export const PAGE_DESIGN_FEATURE = 'PAGE_DESIGN';

export const PAGE_DESIGN_MEMBERS = members;

export function findPageDesignErrors(design: unknown): FieldError[] {
  const errors = findSchemaErrors('pageDesign', PageDesignInput, design);
  if (errors.length > 0) return errors;
  const { accentColor } = toPageDesign(design);
  if (accentColor === undefined || computeContrastRatio(accentColor, '#ffffff') >= MIN_TEXT_CONTRAST)
    return [];
  const message = `White text on it must have a contrast of ${MIN_TEXT_CONTRAST}:1 or more. Choose a darker color.`;
  return [{ field: 'pageDesign.accentColor', code: 'LOW_CONTRAST', message }];
}

/** For a value that was validated. */
export function toPageDesign(design: unknown): PageDesign {
  return design as PageDesign;
}
