import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} is uw bevestigingscode',
    lines: [
      'Uw bevestigingscode: {otp}',
      'De code hoort bij de registratie van {time}, met het wachtwoord dat toen is opgegeven. De code werkt één keer, {minutes} minuten lang.',
      'Hebt u zich toen niet geregistreerd? Negeer deze mail dan en geef de code aan niemand: wie de code heeft, kan met uw adres een account openen.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} is uw bevestigingscode: kies de juiste',
    or: '{one} of {other}',
    choice: '{otp} voor de registratie van {time}',
    lines: [
      'Dit adres is meerdere keren geregistreerd, met verschillende wachtwoorden. Voer de code van uw eigen registratie in; let op de tijd:',
      'De code die u invoert, bepaalt met welk wachtwoord u inlogt. De code werkt één keer, {minutes} minuten lang.',
      'Is een registratie niet van u? Voer die code dan niet in en geef die aan niemand: wie zich heeft geregistreerd, kent het wachtwoord. Is er geen enkele van u, negeer deze mail dan.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'U hebt al een account',
    lines: [
      'Iemand, misschien uzelf, wilde zich met dit adres registreren. Er is al een account met dit adres; er is niets veranderd.',
      'Bent u uw wachtwoord vergeten? Vraag dan op de inlogpagina een nieuw aan.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Kies een nieuw wachtwoord',
    lines: [
      'Iemand, misschien uzelf, heeft voor dit adres een nieuw wachtwoord aangevraagd. Kies het via deze link:',
      '{link}',
      'De link werkt één keer, {minutes} minuten lang. Was u het niet? Negeer deze mail dan; uw wachtwoord blijft hetzelfde.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Uw wachtwoord is vervangen',
    lines: [
      'Uw wachtwoord is vervangen via een link die naar dit adres is gestuurd. Alle sessies zijn beëindigd.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Uw wachtwoord is gewijzigd',
    lines: [
      'Uw wachtwoord is gewijzigd en alle andere sessies zijn beëindigd.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Een sessie is voor uw veiligheid beëindigd',
    lines: [
      'Een token van een van uw sessies is een tweede keer gebruikt. Dat gebeurt als het is gekopieerd. De sessie is beëindigd.',
      'Log opnieuw in. Weet u niet zeker wie bij uw apparaten kan, wijzig dan uw wachtwoord.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Een beheerder heeft gegevens van u geopend',
    lines: [
      'Op {time} heeft een beheerder van deze dienst een noodgeval opgegeven. De beheerder mag {minutes} minuten lang één van uw gegevens lezen.',
      'Log in om te zien welk gegeven: uw meldingen noemen het, en in uw auditlijst staat wanneer het is gelezen. De reden wordt bewaard voor auditors.',
      'Komt dit onverwacht? Vraag het na bij de aanbieder van de dienst.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'U kunt nu ook via een andere dienst inloggen',
    lines: [
      'Iemand die zich bij {provider} heeft aangemeld met dit adres, dat daar is bevestigd, is tot uw account toegelaten. Die aanmelding geeft vanaf nu toegang tot uw account.',
      'Was u dat niet? Beveilig dan uw account bij die dienst, ontkoppel die aanmelding van uw account en wijzig uw wachtwoord.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Een andere dienst is van uw account ontkoppeld',
    lines: [
      'Aanmelden bij {provider} geeft geen toegang meer tot uw account. Alle andere sessies zijn beëindigd.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Tweestapsverificatie is ingeschakeld',
    lines: [
      'Vanaf nu hebt u een code uit uw authenticator-app nodig om in te loggen. Alle andere sessies zijn beëindigd.',
      'Bewaar de herstelcodes op een plek waar u ze ook zonder uw telefoon vindt: met elke code kunt u één keer inloggen.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan en schrijf de aanbieder van de dienst.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Tweestapsverificatie is uitgeschakeld',
    lines: [
      'Vanaf nu is uw wachtwoord genoeg om in te loggen. Alle andere sessies zijn beëindigd.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan en schakel tweestapsverificatie weer in.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Een beheerder heeft uw tweestapsverificatie uitgeschakeld',
    lines: [
      'Vanaf nu is uw wachtwoord genoeg om in te loggen, tot u tweestapsverificatie opnieuw instelt. Alle sessies zijn beëindigd.',
      'Hebt u hier niet om gevraagd? Vraag dan meteen een nieuw wachtwoord aan en schrijf de aanbieder van de dienst.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'U hebt nieuwe herstelcodes',
    lines: [
      'Er zijn nieuwe herstelcodes voor uw account gemaakt; de oude werken niet meer.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Er is ingelogd met een herstelcode',
    lines: [
      'Iemand is met een van uw herstelcodes ingelogd op uw account. Nog over: {left}.',
      'Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan en maak daarna nieuwe herstelcodes.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Uw account staat nu in de zakelijke modus',
    lines: [
      'Vanaf nu gelden voor uw account strengere regels: tweestapsverificatie is verplicht en sessies duren korter.',
      'Hebt u nog geen tweestapsverificatie? Dan wordt u eerst gevraagd die in te stellen.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Uw account staat niet meer in de zakelijke modus',
    lines: [
      'De strengere regels gelden niet meer voor uw account. Tweestapsverificatie blijft aan tot u die uitschakelt.',
      'Komt dit onverwacht? Schrijf dan de aanbieder van de dienst.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Er is ingelogd op een nieuw apparaat',
    lines: [
      'Iemand, misschien uzelf, is op uw account ingelogd vanaf een apparaat en een netwerk die hiervoor nog niet zijn gebruikt: {agent}, netwerk {network}, {time}.',
      'Was u dat niet? Kies dan meteen een nieuw wachtwoord: dat beëindigt alle sessies.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Er is een kopie van uw gegevens gemaakt',
    lines: [
      'Er is een archief met al uw gegevens gemaakt en opgehaald vanuit uw account.',
      'Was u dat niet? Wijzig dan meteen uw wachtwoord.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'De kopie van uw gegevens staat klaar',
    lines: [
      'Het archief met uw gegevens dat u hebt aangevraagd, staat klaar. Log in en haal het op vóór {time}; daarna wordt het verwijderd.',
      'Was u dat niet? Wijzig dan meteen uw wachtwoord.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Uw account is verwijderd',
    lines: [
      'Uw account is op uw verzoek verwijderd: niemand kan meer inloggen, en uw codes tonen niets meer. Foto’s en andere bestanden worden nu verwijderd.',
      'Dit kan niet ongedaan worden gemaakt. Met uw adres kan weer een nieuw account worden gemaakt. Dit is de laatste mail die u van ons krijgt.',
    ],
  },
  NOTIFICATION: {
    open: 'Log in om meer te zien.',
    answer: 'Lezen en antwoorden zonder in te loggen:',
    when: 'Tijd: {time}',
    page: 'De pagina van de code, zoals anderen die zien; via deze link geopend telt dat niet als scan:',
    more: 'Hier ziet u meer:',
    unsubscribe: 'Dit soort mails niet meer ontvangen:',
    stopTitle: 'Dit soort mails niet meer ontvangen?',
    stopKind: 'Mails van deze soort: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'scans van uw codes',
      LOST_CODE_SCANNED: 'scans van een vermiste code',
      SCAN_LOCATED: 'gedeelde locaties',
      MESSAGE_RECEIVED: 'berichten over uw codes',
      PIN_REJECTED: 'verkeerde pincodes',
      GUEST_BOOK_SIGNED: 'berichten in uw gastenboeken',
      BIRTH_ANNIVERSARY: 'verjaardagen van overledenen',
      DEATH_ANNIVERSARY: 'sterfdagen',
      CODE_EXPIRING: 'codes die binnenkort verlopen',
      CODE_EXPIRED: 'verlopen codes',
      DOCUMENT_EXPIRING: 'documenten die binnenkort verlopen',
      DOCUMENT_EXPIRED: 'documenten die verlopen',
      ANSWER_RECEIVED: 'antwoorden op uw bericht',
    },
    damagedTitle: 'Deze link is beschadigd',
    damagedText:
      'De link is niet volledig of is gewijzigd. Open hem opnieuw vanuit de mail, precies zoals hij daar staat.',
    stop: 'Deze mails stoppen',
    stopped: 'U ontvangt dit soort mails niet meer.',
  },
  ANSWER_RECEIVED: {
    subject: 'Antwoord op uw bericht',
    lines: [
      'De eigenaar van de code die u hebt gescand, heeft u geantwoord. Lees het hier:',
      '{link}',
      'De link is alleen voor u. Op die pagina kunt u ook aangeven dat u geen mails meer wilt.',
    ],
  },
};
