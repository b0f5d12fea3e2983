import type { Tx } from '../../../platform/database.ts';

/** Remove passwords, reset links and profile data of registrations for those of the sign-in; return the removed picture's name. */
export async function markUserVerifiedByProvider(
  tx: Tx,
  userId: string,
  profile: { firstName: string | null; lastName: string | null; language: string; timeZone: string },
): Promise<string | null> {
  await tx.pendingRegistration.deleteMany({ where: { userId } });
  await tx.passwordReset.deleteMany({ where: { userId } });
  const { profilePicture } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { profilePicture: true },
  });
  await tx.user.update({
    where: { id: userId },
    data: {
      ...profile,
      status: 'VERIFIED',
      passwordHash: null,
      accountType: null,
      organizationName: null,
      phone: null,
      profilePicture: null,
      updatedAt: new Date(),
    },
    select: { id: true },
  });
  return profilePicture;
}
