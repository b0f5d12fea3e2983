import type { MembershipKey } from '../../platform/membership.repository.ts';
import type { SocketConnection } from './connection.ts';

/** The open sockets of the members of each organization. The stream of a personal account is that of its user. */
export function createOrganizationSockets() {
  let connectionsByAccount = new Map<string, SocketConnection[]>();

  return {
    list: (accountId: string): readonly SocketConnection[] =>
      (connectionsByAccount.get(accountId) ?? []).filter((connection) => connection.isOpen()),
    /** Replace what is known by the memberships of all users with an open socket. */
    replace(memberships: readonly MembershipKey[], connections: Iterable<SocketConnection>): void {
      const connectionsByUser = new Map<string, SocketConnection[]>();
      for (const connection of connections)
        if (connection.listener?.side === 'ACCOUNT')
          append(connectionsByUser, connection.listener.userId, connection);
      connectionsByAccount = new Map();
      for (const { accountId, userId } of memberships)
        for (const connection of connectionsByUser.get(userId) ?? [])
          append(connectionsByAccount, accountId, connection);
    },
  };
}

export type OrganizationSockets = ReturnType<typeof createOrganizationSockets>;

function append<Value>(values: Map<string, Value[]>, key: string, value: Value): void {
  const known = values.get(key);
  if (known) known.push(value);
  else values.set(key, [value]);
}
