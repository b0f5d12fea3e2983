/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}” is gescand', body: 'Uw code “{code}” is gescand.' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” is gescand',
    body: 'Uw code “{code}” is gescand in de buurt van {place}.',
  },
  LOST_CODE_SCANNED: { title: 'Vermist: “{code}” is gescand', body: 'Uw code “{code}” is gescand.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Vermist: “{code}” is gescand',
    body: 'Uw code “{code}” is gescand in de buurt van {place}.',
  },
  SCAN_LOCATED: {
    title: 'Locatie van “{code}” gedeeld',
    body: 'Iemand die uw code “{code}” heeft gescand, deelt een locatie met u.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Locatie van “{code}” gedeeld',
    body: 'Iemand die uw code “{code}” heeft gescand, deelt een locatie met u, in de buurt van {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Bericht over “{code}”',
    body: 'Iemand die uw code “{code}” heeft gescand, heeft u geschreven.',
  },
  PIN_REJECTED: {
    title: 'Verkeerde pincodes voor “{code}”',
    body: 'Iemand heeft verkeerde pincodes ingevoerd voor uw code “{code}”. Wat met de pincode beveiligd is, is niet getoond.',
  },
  CODE_EXPIRING: {
    title: '“{code}” verloopt binnenkort',
    body: 'Uw code “{code}” verloopt op {date}. Daarna is er niets meer te zien.',
  },
  CODE_EXPIRED: {
    title: '“{code}” is verlopen',
    body: 'Uw code “{code}” is verlopen. Er is niets meer te zien.',
  },
  SCANS_DIGEST: {
    title: { one: 'Eén scan van uw codes', other: '{count} scans van uw codes' },
    body: 'Sinds {time}: {codes}.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'Eén scan van uw codes', other: '{count} scans van uw codes' },
    body: 'Sinds {time}: {codes}. Laatste plaats: in de buurt van {place}.',
  },
  NEW_LOGIN: {
    title: 'Nieuwe aanmelding',
    body: 'Iemand is ingelogd op uw account. Was u dat niet? Wijzig dan uw wachtwoord en beëindig de sessie.',
  },
  PASSWORD_CHANGED: {
    title: 'Uw wachtwoord is gewijzigd',
    body: 'Alle andere sessies zijn beëindigd. Was u dat niet? Vraag dan meteen een nieuw wachtwoord aan.',
  },
  SECOND_FACTOR_ON: {
    title: 'Tweestapsverificatie ingeschakeld',
    body: 'Alle andere sessies zijn beëindigd. Was u dat niet? Wijzig dan uw wachtwoord.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Tweestapsverificatie uitgeschakeld',
    body: 'Alle andere sessies zijn beëindigd. Was u dat niet? Wijzig dan uw wachtwoord.',
  },
  ROLE_CHANGED: {
    title: 'Uw rol is gewijzigd',
    body: 'Een beheerder heeft uw rol gewijzigd in {role}.',
  },
  GLASS_BROKEN: {
    title: 'Een beheerder heeft gegevens van u geopend',
    body: 'Ze zijn een kwartier lang leesbaar, vanwege een opgegeven noodgeval. In uw auditlijst staat wie wat heeft gelezen.',
  },
};
