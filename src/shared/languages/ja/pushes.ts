export const pushes = {
  QR_CODE_SCANNED: 'あなたのコードが読み取られました',
  LOST_CODE_SCANNED: '捜索中：あなたのコードが読み取られました',
  SCAN_LOCATED: 'コードを読み取った方が、今いる場所を知らせました',
  MESSAGE_RECEIVED: 'コードを読み取った方からメッセージが届きました',
  PIN_REJECTED: 'コードに誤ったPINが入力されました',
  CODE_EXPIRING: 'コードの1つがまもなく終了します',
  CODE_EXPIRED: 'コードの1つが終了しました',
  DOCUMENT_EXPIRING: '書類の1つの有効期限が近づいています',
  DOCUMENT_EXPIRED: '書類の1つが有効期限を迎えます',
  ABOUT_A_CODE: 'コードについてのお知らせがあります',
  ABOUT_SUBSCRIPTION: 'サブスクリプションについてのお知らせがあります',
  SUBSCRIPTION_NEEDS_YOU: 'サブスクリプションについてご確認ください',
};
