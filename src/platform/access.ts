import type { FastifyInstance } from 'fastify';
import { auditTrailPlugin } from './audit.ts';
import { bearerAuthenticationPlugin } from './authentication.ts';
import type { Database } from './database.ts';
import { accessControlPlugin } from './route-access.ts';

interface AccessServices {
  secrets: { JWT_SECRET: string };
  database: Database;
  isEnterpriseEnforced: boolean;
}

export async function registerAccessControlAndAudit(
  app: FastifyInstance,
  { secrets, database, isEnterpriseEnforced }: AccessServices,
): Promise<void> {
  await app.register(bearerAuthenticationPlugin, {
    database,
    jwtSecret: secrets.JWT_SECRET,
    isEnterpriseEnforced,
  });
  await app.register(accessControlPlugin);
  await app.register(auditTrailPlugin, { database });
}
