import { type Static, Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { PasswordInput } from '../identity/index.ts';

/** What the job of an export has come to. */
export const EXPORT_STATUSES = ['WAITING', 'READY', 'FAILED'] as const;

const AgeRecipient = Type.String({
  pattern: '^age1[0-9a-z]{58,2100}$',
  description:
    'Public key of an age identity of yours (age-encryption.org): the archive is then an age file that only you can open.',
  examples: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
});

export const ExportQuery = Type.Object({ recipient: Type.Optional(AgeRecipient) });

export const ExportRequest = Type.Object({
  password: Type.Optional(PasswordInput),
  ageRecipient: Type.Optional(AgeRecipient),
});

export const ErasureRequest = Type.Object({ password: Type.Optional(PasswordInput) });

export const DataExport = Type.Object(
  {
    id: Id,
    status: stringEnum(EXPORT_STATUSES),
    encryptedToYourKey: Type.Boolean({ description: 'Whether only your own key opens it.' }),
    size: nullable(Type.Integer({ description: 'Bytes of what contentUrl answers, once it is ready.' })),
    contentUrl: nullable(Type.String({ description: 'Where to fetch it, once it is ready.' })),
    createdAt: Timestamp,
    readyAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
  },
  { $id: 'DataExport', description: "An archive of a person's data that is made by a job." },
);

export type DataExport = Static<typeof DataExport>;
