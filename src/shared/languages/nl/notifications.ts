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
  GUEST_BOOK_SIGNED: {
    title: 'Een bericht in het gastenboek van {remembered}',
    body: 'Iemand schreef in het gastenboek van {remembered}. Het bericht is daar te zien zodra u het goedkeurt.',
  },
  CARETAKER_NAMED: {
    title: 'U kunt meehelpen met een gedenkplaatje',
    body: 'Iemand laat u meehelpen met een gedenkplaatje: met de teksten, de foto’s en het gastenboek. Het staat in uw lijst met gedenkplaatjes van anderen.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: een verjaardag om bij stil te staan',
    body: 'Geboortedatum van {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: een dag van herinnering',
    body: 'Sterfdag van {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '“{code}” verloopt binnenkort',
    body: 'Uw code “{code}” verloopt op {date}. Daarna is er niets meer te zien.',
  },
  CODE_EXPIRED: {
    title: '“{code}” is verlopen',
    body: 'Uw code “{code}” is verlopen. Er is niets meer te zien.',
  },
  DOCUMENT_INFECTED: {
    title: 'Een bestand van “{document}” is verwijderd',
    body: 'In een bestand van uw document “{document}” is malware gevonden en het bestand is verwijderd. Controleer het apparaat waar het vandaan komt.',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” verloopt binnenkort',
    body: 'Uw document “{document}” is geldig tot en met {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” verloopt op {date}',
    body: 'Uw document “{document}” is geldig tot en met {date}.',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” is geopend',
    body: 'Iemand heeft uw document “{document}” geopend. In de leeslijst van het document staat hoe.',
  },
  DOCUMENT_GIVEN: {
    title: 'U hebt een document gekregen om te lezen',
    body: 'Iemand heeft u een document gegeven om te lezen. Het staat in uw lijst met documenten van anderen.',
  },
  PASSCODE_REJECTED: {
    title: 'Verkeerde toegangscodes voor “{document}”',
    body: 'Iemand heeft verkeerde toegangscodes ingevoerd voor een link naar uw document “{document}”. Het is niet geopend.',
  },
  SCANS_DIGEST: {
    title: { one: 'Eén scan van uw codes', other: '{count} scans van uw codes' },
    body: 'Sinds {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Uw abonnement is begonnen',
    body: 'U hebt nu het pakket “{package}”. Bedankt.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Uw abonnement is gewijzigd',
    body: 'U hebt nu het pakket “{package}”.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Uw abonnement eindigt op {date}',
    body: 'Het pakket “{package}” eindigt met de betaalde periode; tot dan kunt u het nog behouden. Uw codes blijven hoe dan ook werken.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Uw abonnement is beëindigd',
    body: 'Het pakket “{package}” is beëindigd. Afgedrukte codes blijven werken; wat buiten het gratis pakket valt, is vanaf nu alleen nog te lezen.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Uw abonnement is gepauzeerd',
    body: 'Het pakket “{package}” is gepauzeerd. Afgedrukte codes blijven werken.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Uw abonnement loopt weer',
    body: 'U hebt het pakket “{package}” weer.',
  },
  TRIAL_ENDING: {
    title: 'Uw proefperiode eindigt op {date}',
    body: 'Daarna wordt het pakket “{package}” in rekening gebracht, tenzij u het eerder opzegt.',
  },
  PAYMENT_RECEIVED: {
    title: 'We hebben uw betaling van {amount} ontvangen',
    body: 'Bedankt. U hebt {amount} betaald voor “{package}”, {period}. Al uw facturen staan in uw account, onder “Abonnement”.',
  },
  PAYMENT_FAILED: {
    title: 'Uw betaling van {amount} is mislukt',
    body: 'We konden {amount} voor “{package}” niet innen. Controleer uw betaalmiddel in uw account, onder “Abonnement”. Afgedrukte codes blijven werken.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Bevestig een betaling van {amount}',
    body: 'Uw bank vraagt u de betaling van {amount} voor “{package}” te bevestigen. Open de factuur in uw account, onder “Abonnement”.',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} terugbetaald',
    body: 'We hebben u {amount} voor “{package}” terugbetaald. Het kan enkele dagen duren voordat u het op uw rekening ziet.',
  },
  PAYMENT_DISPUTED: {
    title: 'Een betaling van {amount} wordt betwist',
    body: 'Uw bank vraagt {amount} voor “{package}” terug. Is dat een vergissing? Neem dan contact op met uw bank.',
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
