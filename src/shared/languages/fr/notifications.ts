/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '« {code} » a été scanné', body: 'Votre code « {code} » a été scanné.' },
  QR_CODE_SCANNED_NEAR: {
    title: '« {code} » a été scanné',
    body: 'Votre code « {code} » a été scanné. Lieu approximatif : {place}.',
  },
  LOST_CODE_SCANNED: {
    title: 'Perdu : « {code} » a été scanné',
    body: 'Votre code « {code} » a été scanné.',
  },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Perdu : « {code} » a été scanné',
    body: 'Votre code « {code} » a été scanné. Lieu approximatif : {place}.',
  },
  SCAN_LOCATED: {
    title: 'Un lieu pour « {code} »',
    body: 'La personne qui a scanné votre code « {code} » a indiqué où elle est.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Un lieu pour « {code} »',
    body: 'La personne qui a scanné votre code « {code} » a indiqué où elle est. Lieu approximatif : {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Message à propos de « {code} »',
    body: 'La personne qui a scanné votre code « {code} » vous a écrit.',
  },
  PIN_REJECTED: {
    title: 'Codes PIN incorrects pour « {code} »',
    body: 'Quelqu’un a saisi des codes PIN incorrects pour votre code « {code} ». Ce que le PIN protège n’a pas été affiché.',
  },
  CODE_EXPIRING: {
    title: '« {code} » expire bientôt',
    body: 'Votre code « {code} » expire le {date}. Ensuite, il n’affichera plus rien.',
  },
  CODE_EXPIRED: {
    title: '« {code} » a expiré',
    body: 'Votre code « {code} » a expiré et n’affiche plus rien.',
  },
  SCANS_DIGEST: {
    title: { one: '{count} scan de vos codes', other: '{count} scans de vos codes' },
    body: 'Depuis le {time} : {codes}.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: '{count} scan de vos codes', other: '{count} scans de vos codes' },
    body: 'Depuis le {time} : {codes}. Dernier lieu approximatif : {place}.',
  },
  NEW_LOGIN: {
    title: 'Nouvelle connexion',
    body: 'Quelqu’un s’est connecté à votre compte. Si ce n’était pas vous, changez votre mot de passe et fermez la session.',
  },
  PASSWORD_CHANGED: {
    title: 'Votre mot de passe a été modifié',
    body: 'Toutes les autres sessions ont été fermées. Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe.',
  },
  SECOND_FACTOR_ON: {
    title: 'Second facteur activé',
    body: 'Toutes les autres sessions ont été fermées. Si ce n’était pas vous, changez votre mot de passe.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Second facteur désactivé',
    body: 'Toutes les autres sessions ont été fermées. Si ce n’était pas vous, changez votre mot de passe.',
  },
  ROLE_CHANGED: {
    title: 'Votre rôle a été modifié',
    body: 'Un administrateur a modifié votre rôle. Votre nouveau rôle : {role}.',
  },
  GLASS_BROKEN: {
    title: 'Un administrateur a ouvert l’un de vos dossiers',
    body: 'Il peut être lu pendant un quart d’heure, en raison d’une urgence déclarée. Votre journal d’audit indique qui a lu quoi.',
  },
};
