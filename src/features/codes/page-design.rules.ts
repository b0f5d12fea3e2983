import { type Static, Type } from 'typebox';
import { MIN_TEXT_CONTRAST } from '../../shared/brand.ts';
import { computeContrastRatio } from '../../shared/color-contrast.ts';
import { Id } from '../../shared/common.schemas.ts';
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
  'PICTURES',
  'STORY',
  'PLACES',
  'GUEST_BOOK',
] as const;

export type PageSection = (typeof PAGE_SECTIONS)[number];

export const PAGE_DESIGN_MEMBERS = {
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
        'Sections that come first, in this order; the others follow in the order of the kind. The page of a lost item says so first, and an emergency card starts with what helpers need.',
    }),
  ),
  coverPictureId: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'The picture of the code across the top of the page; an emergency card has none.',
    }),
  ),
  logoPictureId: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'The picture of the code beside the name, 56 pixels high.',
    }),
  ),
};

/** Members of a page design that name a picture of the code. */
const PAGE_DESIGN_PICTURES = ['coverPictureId', 'logoPictureId'] as const;

const PageDesignInput = Type.Object(PAGE_DESIGN_MEMBERS, { additionalProperties: false });

export const PageDesign = Type.Object(PAGE_DESIGN_MEMBERS, {
  $id: 'PageDesign',
  additionalProperties: false,
  description: 'Design of the finder page. Fields that were never set are absent.',
});

export type PageDesign = Static<typeof PageDesign>;

export const PAGE_DESIGN_FEATURE = 'PAGE_DESIGN';

export function findPageDesignErrors(design: unknown): FieldError[] {
  const errors = findSchemaErrors('pageDesign', PageDesignInput, design);
  if (errors.length > 0) return errors;
  const { accentColor } = toPageDesign(design);
  if (accentColor === undefined || computeContrastRatio(accentColor, '#ffffff') >= MIN_TEXT_CONTRAST)
    return [];
  const message = `White text on it must have a contrast of ${MIN_TEXT_CONTRAST}:1 or more. Choose a darker color.`;
  return [{ field: 'pageDesign.accentColor', code: 'LOW_CONTRAST', message }];
}

/** Find the pictures that the code does not have; a picture can be deleted after it was chosen. */
export function findPageDesignPictureErrors(
  design: PageDesign,
  pictures: readonly { id: string }[],
): FieldError[] {
  return PAGE_DESIGN_PICTURES.flatMap((member) => {
    const id = design[member];
    if (id === undefined || pictures.some((picture) => picture.id === id)) return [];
    return [{ field: `pageDesign.${member}`, code: 'UNKNOWN', message: 'Must be a picture of this code.' }];
  });
}

/** Only casts: the value must be validated. */
export function toPageDesign(design: unknown): PageDesign {
  return design as PageDesign;
}
