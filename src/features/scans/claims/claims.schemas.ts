import { type Static, Type } from 'typebox';
import { Id, NON_BLANK_LINE_PATTERN, Timestamp } from '../../../shared/common.schemas.ts';
import { MAX_CLAIM_CODE_CHARACTERS, MAX_SHORT_NUMBER_CHARACTERS } from '../../codes/index.ts';

/** As the field `name` of the kinds of tags. */
export const MAX_CLAIM_NAME_CHARACTERS = 80;

export const NewClaim = Type.Object({
  qrCodeId: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'From the address in the image. Instead of `number`.' }),
  ),
  number: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SHORT_NUMBER_CHARACTERS,
      description: 'The short number on the tag, in any spelling. Instead of `qrCodeId`.',
    }),
  ),
  name: Type.String({
    minLength: 1,
    maxLength: MAX_CLAIM_NAME_CHARACTERS,
    pattern: NON_BLANK_LINE_PATTERN,
    description: 'What the tag is on, or whose it is: title of the code, and the name on its page.',
  }),
  claimCode: Type.Optional(
    Type.String({
      maxLength: MAX_CLAIM_CODE_CHARACTERS,
      description: 'From the packaging, in any spelling, where the batch requires it.',
    }),
  ),
});

export const ClaimSchema = Type.Object(
  {
    qrCodeId: Id,
    kind: Type.String(),
    title: Type.String(),
    scanUrl: Type.String(),
    claimedAt: Timestamp,
    undoUntil: Timestamp,
  },
  { $id: 'Claim', description: 'A tag that got its owner.' },
);

export type ClaimView = Static<typeof ClaimSchema>;
