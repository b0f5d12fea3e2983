import type { en } from './en/index.ts';

/** A sentence for each form that the language's rules of plural have; `other` is there in all of them. */
export type Forms = { readonly other: string } & { readonly [Form in Intl.LDMLPluralRule]?: string };

type Same<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends string
    ? string
    : Original[Key] extends { other: string }
      ? Forms
      : Same<Original[Key]>;
};

/** All that is said to people, in one language: the same sentences as in English, with the same places for values. */
export type Catalogue = Same<typeof en>;
