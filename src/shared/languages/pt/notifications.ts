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
  CODE_EXPIRING: {
    title: '“{code}” termina em breve',
    body: 'O seu código “{code}” termina em {date}. Depois disso, não mostra mais nada.',
  },
  CODE_EXPIRED: {
    title: '“{code}” terminou',
    body: 'O seu código “{code}” terminou e não mostra mais nada.',
  },
  SCANS_DIGEST: {
    title: { one: '{count} leitura dos seus códigos', other: '{count} leituras dos seus códigos' },
    body: 'Desde {time}: {codes}.',
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
