import type { Static } from 'typebox';
import { Type } from 'typebox';
import { computeReadableColor } from '../../../shared/brand.ts';
import {
  findPageDesignErrors,
  PAGE_SECTIONS,
  type PageDesign,
  type PageSection,
  toPageDesign,
} from '../../codes/index.ts';
import { listPageSections } from '../../finder/index.ts';

/** The look of a page; `move` is the button of a section, such as `DETAILS:up`. */
export const PageDesignForm = Type.Object({
  version: Type.Optional(Type.String()),
  accentColor: Type.Optional(Type.String()),
  coverPictureId: Type.Optional(Type.String()),
  logoPictureId: Type.Optional(Type.String()),
  sectionOrder: Type.Optional(Type.String()),
  move: Type.Optional(Type.String()),
  reset: Type.Optional(Type.String()),
});

export type PageDesignFields = Static<typeof PageDesignForm>;

/** What a page has by default. */
interface DesignDefaults {
  kind: string;
  /** Of the service. */
  brandColor: string;
}

/** As PATCH takes it: what is as it would be anyway is cleared, so that it follows the service and the kind. */
export type PageDesignChange = {
  [Member in keyof PageDesign]: Exclude<PageDesign[Member], undefined> | null;
};

/** Parse a form; what it does not have stays. */
export function parsePageDesign(
  fields: PageDesignFields,
  { kind, brandColor }: DesignDefaults,
): PageDesignChange | null {
  if (fields.reset) return null;
  const { accentColor, coverPictureId, logoPictureId } = fields;
  const isOwnColor = accentColor?.toLowerCase() !== brandColor.toLowerCase();
  return {
    ...(accentColor !== undefined && { accentColor: isOwnColor ? accentColor : null }),
    ...(coverPictureId !== undefined && { coverPictureId: coverPictureId || null }),
    ...(logoPictureId !== undefined && { logoPictureId: logoPictureId || null }),
    ...(fields.sectionOrder !== undefined && { sectionOrder: parseSectionOrder(fields, kind) }),
  };
}

/** Get what a form shows: what is stored with what was entered, and a color that can be saved in place of a light one. */
export function mergePageDesignForm(stored: PageDesign, change: PageDesignChange | null): PageDesign {
  const merged = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
  const { accentColor, ...others } = toPageDesign(change === null ? {} : Object.fromEntries(merged));
  const color = accentColor === undefined ? undefined : toUsableColor(accentColor);
  return { ...others, ...(color !== undefined && { accentColor: color }) };
}

/** Darken a color until it can be saved; undefined for what is none. */
export function toUsableColor(accentColor: string): string | undefined {
  const [error] = findPageDesignErrors({ accentColor });
  if (error === undefined) return accentColor;
  return error.code === 'LOW_CONTRAST' ? computeReadableColor(accentColor) : undefined;
}

/** Null for the order of the kind. */
function parseSectionOrder(
  { sectionOrder = '', move }: PageDesignFields,
  kind: string,
): PageSection[] | null {
  const names = sectionOrder.split(',');
  const wanted = names.flatMap((name) => PAGE_SECTIONS.find((section) => section === name) ?? []);
  const sections = listPageSections(kind, wanted);
  const order = sections.map(({ section }) => section);
  const [name, direction] = move?.split(':') ?? [];
  const from = sections.findIndex(({ section, isFixed }) => section === name && !isFixed);
  const to = from + (direction === 'up' ? -1 : 1);
  const [moved, other] = [order[from], order[to]];
  if (moved && other && !sections[to]?.isFixed)
    order.splice(Math.min(from, to), 2, ...(to < from ? [moved, other] : [other, moved]));
  const usual = listPageSections(kind).map(({ section }) => section);
  return String(order) === String(usual) ? null : order;
}
