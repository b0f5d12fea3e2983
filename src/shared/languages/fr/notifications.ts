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
  GUEST_BOOK_SIGNED: {
    title: 'Un message dans le livre d’or de {remembered}',
    body: 'Quelqu’un a écrit dans le livre d’or de {remembered}. Le message y apparaîtra dès que vous l’aurez approuvé.',
  },
  CARETAKER_NAMED: {
    title: 'Vous pouvez participer à une plaque commémorative',
    body: 'Quelqu’un vous permet de participer à une plaque commémorative : textes, images et livre d’or. Elle se trouve dans votre liste des plaques d’autres personnes.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered} : un anniversaire à se rappeler',
    body: 'Date de naissance de {remembered} : {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered} : un jour de souvenir',
    body: 'Date de décès de {remembered} : {date}.',
  },
  CODE_EXPIRING: {
    title: '« {code} » expire bientôt',
    body: 'Votre code « {code} » expire le {date}. Ensuite, il n’affichera plus rien.',
  },
  CODE_EXPIRED: {
    title: '« {code} » a expiré',
    body: 'Votre code « {code} » a expiré et n’affiche plus rien.',
  },
  DOCUMENT_INFECTED: {
    title: 'Un fichier de « {document} » a été supprimé',
    body: 'Un logiciel malveillant a été trouvé dans un fichier de votre document « {document} », et ce fichier a été supprimé. Veuillez vérifier l’appareil dont il provient.',
  },
  DOCUMENT_EXPIRING: {
    title: '« {document} » expire bientôt',
    body: 'Votre document « {document} » est valable jusqu’au {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '« {document} » expire le {date}',
    body: 'Votre document « {document} » est valable jusqu’au {date}.',
  },
  DOCUMENT_OPENED: {
    title: '« {document} » a été ouvert',
    body: 'Quelqu’un a ouvert votre document « {document} ». La liste de ses lectures indique comment.',
  },
  DOCUMENT_GIVEN: {
    title: 'Vous avez reçu un document à lire',
    body: 'Quelqu’un vous a donné un document à lire. Il se trouve dans la liste des documents que d’autres vous ont donnés.',
  },
  PASSCODE_REJECTED: {
    title: 'Codes d’accès incorrects pour « {document} »',
    body: 'Quelqu’un a saisi des codes d’accès incorrects pour un lien vers votre document « {document} ». Il n’a pas été ouvert.',
  },
  SCANS_DIGEST: {
    title: { one: '{count} scan de vos codes', other: '{count} scans de vos codes' },
    body: 'Depuis le {time} : {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Votre abonnement a commencé',
    body: 'Vous avez maintenant la formule « {package} ». Merci.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Votre abonnement a été modifié',
    body: 'Vous avez maintenant la formule « {package} ».',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Votre abonnement prend fin le {date}',
    body: 'La formule « {package} » prend fin avec la période payée ; jusque-là, vous pouvez encore la conserver. Vos codes continuent de fonctionner dans tous les cas.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Votre abonnement a pris fin',
    body: 'La formule « {package} » a pris fin. Les codes imprimés continuent de fonctionner ; ce qui dépasse la formule gratuite est désormais en lecture seule.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Votre abonnement est suspendu',
    body: 'La formule « {package} » est suspendue. Les codes imprimés continuent de fonctionner.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Votre abonnement reprend',
    body: 'Vous avez de nouveau la formule « {package} ».',
  },
  TRIAL_ENDING: {
    title: 'Votre période d’essai prend fin le {date}',
    body: 'La formule « {package} » sera ensuite facturée, sauf si vous la résiliez avant.',
  },
  PAYMENT_RECEIVED: {
    title: 'Nous avons reçu votre paiement de {amount}',
    body: 'Merci. Vous avez payé {amount} pour « {package} », {period}. Toutes vos factures se trouvent dans votre compte, sous « Abonnement ».',
  },
  PAYMENT_FAILED: {
    title: 'Votre paiement de {amount} a échoué',
    body: 'Nous n’avons pas pu encaisser {amount} pour « {package} ». Vérifiez votre moyen de paiement dans votre compte, sous « Abonnement ». Les codes imprimés continuent de fonctionner.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Veuillez confirmer un paiement de {amount}',
    body: 'Votre banque vous demande de confirmer le paiement de {amount} pour « {package} ». Ouvrez la facture dans votre compte, sous « Abonnement ».',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} remboursés',
    body: 'Nous vous avons remboursé {amount} pour « {package} ». Quelques jours peuvent s’écouler avant que le montant n’apparaisse sur votre compte bancaire.',
  },
  PAYMENT_DISPUTED: {
    title: 'Un paiement de {amount} est contesté',
    body: 'Votre banque réclame le remboursement de {amount} pour « {package} ». S’il s’agit d’une erreur, contactez votre banque.',
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
