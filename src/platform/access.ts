import type { FastifyInstance } from 'fastify';
import { auditTrailPlugin } from './audit.ts';
import { bearerAuthenticationPlugin } from './authentication.ts';
import type { Database } from './database.ts';
import type { FieldCipher } from './field-cipher.ts';
import { accessControlPlugin } from './route-access.ts';

interface AccessServices {
  config: { production: boolean; publicBaseUrl: string };
  secrets: { JWT_SECRET: string };
  database: Database;
  fieldCipher: FieldCipher;
  isEnterpriseEnforced: boolean;
}

export async function registerAccessControlAndAudit(
  app: FastifyInstance,
  { config, secrets, database, fieldCipher, isEnterpriseEnforced }: AccessServices,
): Promise<void> {
  await app.register(bearerAuthenticationPlugin, {
    database,
    fieldCipher,
    jwtSecret: secrets.JWT_SECRET,
    secure: config.publicBaseUrl.startsWith('https:'),
    isEnterpriseEnforced,
    staffMustEnroll: config.production,
  });
  await app.register(accessControlPlugin, { database });
  await app.register(auditTrailPlugin, { database });
}
