import type { FastifyInstance } from 'fastify';
import { auditTrailPlugin } from './audit.ts';
import { bearerAuthenticationPlugin } from './authentication.ts';
import type { Database } from './database.ts';
import { accessControlPlugin } from './route-access.ts';

interface AccessServices {
  secrets: { JWT_SECRET: string };
  database: Database;
  enterpriseForAll: boolean;
}

export async function registerAccess(
  app: FastifyInstance,
  { secrets, database, enterpriseForAll }: AccessServices,
): Promise<void> {
  await app.register(bearerAuthenticationPlugin, {
    database,
    jwtSecret: secrets.JWT_SECRET,
    enterpriseForAll,
  });
  await app.register(accessControlPlugin);
  await app.register(auditTrailPlugin, { database });
}
