import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} est votre code de confirmation',
    lines: [
      'Votre code de confirmation : {otp}',
      'Il concerne l’inscription du {time}, avec le mot de passe choisi à ce moment-là. Il fonctionne une seule fois, pendant {minutes} minutes.',
      'Si cette inscription ne vient pas de vous, ignorez cet e-mail et ne donnez le code à personne : quiconque l’a peut ouvrir un compte avec votre adresse.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} est votre code de confirmation : choisissez',
    or: '{one} ou {other}',
    choice: '{otp} pour l’inscription du {time}',
    lines: [
      'Cette adresse a été inscrite plusieurs fois, avec des mots de passe différents. Saisissez le code de votre propre inscription, que vous reconnaissez à son heure :',
      'Le code que vous saisissez détermine le mot de passe qui ouvre le compte. Il fonctionne une seule fois, pendant {minutes} minutes.',
      'Si une inscription n’est pas la vôtre, ne saisissez pas son code et ne le donnez à personne : l’auteur de cette inscription connaîtrait le mot de passe. Si aucune n’est la vôtre, ignorez cet e-mail.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Vous avez déjà un compte',
    lines: [
      'Quelqu’un, peut-être vous, a voulu inscrire cette adresse. Elle a déjà un compte ; rien n’a été modifié.',
      'Si vous avez oublié votre mot de passe, demandez-en un nouveau sur la page de connexion.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Choisissez un nouveau mot de passe',
    lines: [
      'Quelqu’un, peut-être vous, a demandé un nouveau mot de passe pour cette adresse. Suivez ce lien pour le choisir :',
      '{link}',
      'Il fonctionne une seule fois, pendant {minutes} minutes. Si ce n’était pas vous, ignorez cet e-mail ; votre mot de passe ne change pas.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Votre mot de passe a été remplacé',
    lines: [
      'Votre mot de passe a été remplacé au moyen d’un lien envoyé à cette adresse, et toutes les sessions ont été fermées.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Votre mot de passe a été modifié',
    lines: [
      'Votre mot de passe a été modifié, et toutes les autres sessions ont été fermées.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Une session a été fermée pour votre sécurité',
    lines: [
      'Un jeton de l’une de vos sessions a été utilisé une seconde fois, ce qui arrive quand il a été copié. La session a été fermée.',
      'Reconnectez-vous. Si vous ne savez pas avec certitude qui a accès à vos appareils, changez votre mot de passe.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Un administrateur a ouvert l’un de vos dossiers',
    lines: [
      'Le {time}, un administrateur de ce service a déclaré une urgence et peut lire l’un de vos dossiers pendant {minutes} minutes.',
      'Connectez-vous pour savoir lequel : vos notifications l’indiquent, et votre journal d’audit dit quand il a été lu. Le motif est conservé pour les auditeurs.',
      'Si vous ne vous y attendiez pas, contactez l’exploitant du service.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Votre compte est maintenant lié à un fournisseur d’identité',
    lines: [
      'Quelqu’un s’est connecté via {provider} avec cette adresse, que ce fournisseur a vérifiée, et a eu accès à votre compte. Désormais, cette connexion ouvre votre compte.',
      'Si ce n’était pas vous, sécurisez votre compte chez le fournisseur, retirez cette identité de votre compte et changez votre mot de passe.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Un fournisseur d’identité a été retiré de votre compte',
    lines: [
      'La connexion via {provider} n’ouvre plus votre compte, et toutes les autres sessions ont été fermées.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Un second facteur a été activé',
    lines: [
      'Désormais, un code de votre application d’authentification est nécessaire pour vous connecter. Toutes les autres sessions ont été fermées.',
      'Gardez les codes de récupération là où vous les trouverez sans votre téléphone : chacun ouvre le compte une fois.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe et écrivez à l’exploitant du service.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Votre second facteur a été désactivé',
    lines: [
      'Désormais, le mot de passe suffit pour ouvrir votre compte. Toutes les autres sessions ont été fermées.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe, puis réactivez le second facteur.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Un administrateur a retiré le second facteur de votre compte',
    lines: [
      'Désormais, le mot de passe suffit pour ouvrir votre compte, jusqu’à ce que vous configuriez un nouveau second facteur. Toutes les sessions ont été fermées.',
      'Si vous ne l’avez pas demandé, demandez immédiatement un nouveau mot de passe et écrivez à l’exploitant du service.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Vous avez de nouveaux codes de récupération',
    lines: [
      'De nouveaux codes de récupération ont été créés pour votre compte ; les anciens ne sont plus valables.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Connexion avec un code de récupération',
    lines: [
      'Quelqu’un s’est connecté à votre compte avec l’un de ses codes de récupération. Codes restants : {left}.',
      'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe, puis créez de nouveaux codes de récupération.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Votre compte est maintenant en mode entreprise',
    lines: [
      'Des règles plus strictes s’appliquent désormais à votre compte : un second facteur est obligatoire et les sessions sont plus courtes.',
      'Si vous n’avez pas encore de second facteur, il vous sera demandé d’en configurer un avant toute autre chose.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Votre compte n’est plus en mode entreprise',
    lines: [
      'Les règles plus strictes ne s’appliquent plus à votre compte. Le second facteur reste actif jusqu’à ce que vous le désactiviez.',
      'Si vous ne vous y attendiez pas, écrivez à l’exploitant du service.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Connexion depuis un nouvel appareil',
    lines: [
      'Quelqu’un, peut-être vous, s’est connecté à votre compte depuis un appareil et un réseau encore jamais utilisés : {agent}, réseau {network}, {time}.',
      'Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe : toutes les sessions seront alors fermées.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Une copie de vos données a été créée',
    lines: [
      'Une archive de toutes vos données a été créée et téléchargée depuis votre compte.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'Une copie de vos données a été créée',
    lines: [
      'L’archive de vos données que vous avez demandée est prête. Connectez-vous et téléchargez-la avant le {time} ; ensuite, elle sera supprimée.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Votre compte a été supprimé',
    lines: [
      'Votre compte a été supprimé, comme vous l’avez demandé : personne ne peut plus se connecter et vos codes n’affichent plus rien. Les images et les autres fichiers sont en cours de suppression.',
      'C’est irréversible. Votre adresse est libre pour un nouveau compte. Ceci est le dernier e-mail que vous recevez de nous.',
    ],
  },
  NOTIFICATION: {
    open: 'Pour en savoir plus, connectez-vous.',
    answer: 'Lire et répondre sans se connecter :',
    when: 'Heure : {time}',
    page: 'La page du code, telle que les autres la voient ; ouverte par ce lien, elle ne compte pas comme un scan :',
    more: 'En voir plus ici :',
    unsubscribe: 'Ne plus recevoir ce type d’e-mails :',
    stopTitle: 'Ne plus recevoir ce type d’e-mails ?',
    stopKind: 'E-mails de ce type : {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'scans de vos codes',
      LOST_CODE_SCANNED: 'scans d’un code perdu',
      SCAN_LOCATED: 'lieux indiqués',
      MESSAGE_RECEIVED: 'messages à propos de vos codes',
      PIN_REJECTED: 'codes PIN incorrects',
      GUEST_BOOK_SIGNED: 'messages dans vos livres d’or',
      BIRTH_ANNIVERSARY: 'anniversaires de naissance des personnes disparues',
      DEATH_ANNIVERSARY: 'anniversaires de décès',
      CODE_EXPIRING: 'codes qui expirent bientôt',
      CODE_EXPIRED: 'codes expirés',
      DOCUMENT_EXPIRING: 'documents qui expirent bientôt',
      DOCUMENT_EXPIRED: 'documents qui arrivent à expiration',
      ANSWER_RECEIVED: 'réponses à votre message',
    },
    damagedTitle: 'Ce lien est endommagé',
    damagedText:
      'Il est incomplet ou a été modifié. Ouvrez-le de nouveau depuis l’e-mail, tel qu’il y figure.',
    stop: 'Arrêter ces e-mails',
    stopped: 'Vous ne recevrez plus ce type d’e-mails.',
  },
  ANSWER_RECEIVED: {
    subject: 'Une réponse à votre message',
    lines: [
      'Le propriétaire du code que vous avez scanné vous a répondu. Lisez sa réponse ici :',
      '{link}',
      'Ce lien n’est destiné qu’à vous. Sur la page, vous pouvez aussi indiquer que vous ne voulez plus d’e-mails.',
    ],
  },
};
