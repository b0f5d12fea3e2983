/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}” foi lido', body: 'O seu código “{code}” foi lido.' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” foi lido',
    body: 'O seu código “{code}” foi lido. Local aproximado: {place}.',
  },
  LOST_CODE_SCANNED: { title: 'Perdido: “{code}” foi lido', body: 'O seu código “{code}” foi lido.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Perdido: “{code}” foi lido',
    body: 'O seu código “{code}” foi lido. Local aproximado: {place}.',
  },
  SCAN_LOCATED: {
    title: 'Um local para “{code}”',
    body: 'Alguém que leu o seu código “{code}” disse onde está.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Um local para “{code}”',
    body: 'Alguém que leu o seu código “{code}” disse onde está. Local aproximado: {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Mensagem sobre “{code}”',
    body: 'Alguém que leu o seu código “{code}” escreveu para você.',
  },
  PIN_REJECTED: {
    title: 'PIN errado em “{code}”',
    body: 'Alguém errou o PIN do seu código “{code}” várias vezes. O que o PIN protege não foi mostrado.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'Uma mensagem no livro de visitas de {remembered}',
    body: 'Alguém escreveu no livro de visitas de {remembered}. A mensagem aparecerá lá quando você a aprovar.',
  },
  CARETAKER_NAMED: {
    title: 'Você pode ajudar com uma placa memorial',
    body: 'Alguém permite que você ajude com uma placa memorial: com os textos, as imagens e o livro de visitas. Ela está na sua lista de placas de outras pessoas.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: um aniversário para lembrar',
    body: 'Data de nascimento de {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: um dia de recordação',
    body: 'Data de falecimento de {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '“{code}” termina em breve',
    body: 'O seu código “{code}” termina em {date}. Depois disso, não mostra mais nada.',
  },
  CODE_EXPIRED: {
    title: '“{code}” terminou',
    body: 'O seu código “{code}” terminou e não mostra mais nada.',
  },
  DOCUMENT_INFECTED: {
    title: 'Um ficheiro de “{document}” foi removido',
    body: 'Foi encontrado software malicioso num ficheiro do seu documento “{document}” e o ficheiro foi removido. Verifique o dispositivo de onde veio.',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” expira em breve',
    body: 'O seu documento “{document}” é válido até {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” expira em {date}',
    body: 'O seu documento “{document}” é válido até {date}.',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” foi aberto',
    body: 'Alguém abriu o seu documento “{document}”. A lista de leituras do documento diz de que modo.',
  },
  DOCUMENT_GIVEN: {
    title: 'Você recebeu um documento para ler',
    body: 'Alguém deu a você um documento para ler. Ele está na sua lista de documentos de outras pessoas.',
  },
  PASSCODE_REJECTED: {
    title: 'Códigos de acesso errados para “{document}”',
    body: 'Alguém digitou códigos de acesso errados em um link para o seu documento “{document}”. Ele não foi aberto.',
  },
  SCANS_DIGEST: {
    title: { one: '{count} leitura dos seus códigos', other: '{count} leituras dos seus códigos' },
    body: 'Desde {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'A sua assinatura começou',
    body: 'Agora você tem o plano “{package}”. Obrigado.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'A sua assinatura foi alterada',
    body: 'Agora você tem o plano “{package}”.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'A sua assinatura termina em {date}',
    body: 'O plano “{package}” termina com o período pago; até lá, você ainda pode mantê-lo. Os seus códigos continuam a funcionar de qualquer forma.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'A sua assinatura terminou',
    body: 'O plano “{package}” terminou. Os códigos impressos continuam a funcionar; o que passa do plano gratuito, a partir de agora, só pode ser lido.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'A sua assinatura está em pausa',
    body: 'O plano “{package}” está em pausa. Os códigos impressos continuam a funcionar.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'A sua assinatura continua',
    body: 'Você tem de novo o plano “{package}”.',
  },
  TRIAL_ENDING: {
    title: 'O seu período de teste termina em {date}',
    body: 'A partir daí, o plano “{package}” será cobrado, a não ser que você o cancele antes.',
  },
  PAYMENT_RECEIVED: {
    title: 'Recebemos o seu pagamento de {amount}',
    body: 'Obrigado. Você pagou {amount} por “{package}”, {period}. Todas as suas faturas estão na sua conta, em “Assinatura”.',
  },
  PAYMENT_FAILED: {
    title: 'O seu pagamento de {amount} falhou',
    body: 'Não foi possível cobrar {amount} por “{package}”. Verifique a forma de pagamento na sua conta, em “Assinatura”. Os códigos impressos continuam a funcionar.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Confirme um pagamento de {amount}',
    body: 'O seu banco pede que você confirme o pagamento de {amount} por “{package}”. Abra a fatura na sua conta, em “Assinatura”.',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} de volta',
    body: 'Devolvemos {amount} por “{package}”. Pode levar alguns dias até aparecer na sua conta bancária.',
  },
  PAYMENT_DISPUTED: {
    title: 'Um pagamento de {amount} foi contestado',
    body: 'O seu banco pede a devolução de {amount} por “{package}”. Se for um engano, avise o seu banco.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: '{count} leitura dos seus códigos', other: '{count} leituras dos seus códigos' },
    body: 'Desde {time}: {codes}. Último local aproximado: {place}.',
  },
  NEW_LOGIN: {
    title: 'Novo acesso à conta',
    body: 'Alguém entrou na sua conta. Se não foi você, mude a senha e encerre a sessão.',
  },
  PASSWORD_CHANGED: {
    title: 'A sua senha foi mudada',
    body: 'Todas as outras sessões foram encerradas. Se não foi você, peça já uma nova senha.',
  },
  SECOND_FACTOR_ON: {
    title: 'Segundo fator ativado',
    body: 'Todas as outras sessões foram encerradas. Se não foi você, mude a senha.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Segundo fator desativado',
    body: 'Todas as outras sessões foram encerradas. Se não foi você, mude a senha.',
  },
  ROLE_CHANGED: {
    title: 'A sua função mudou',
    body: 'Um administrador mudou a sua função para {role}.',
  },
  GLASS_BROKEN: {
    title: 'Um administrador abriu dados seus',
    body: 'Pode lê-los durante um quarto de hora, por uma emergência declarada. A sua lista de auditoria mostra quem leu o quê.',
  },
};
