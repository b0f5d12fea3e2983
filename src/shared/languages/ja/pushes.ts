export const pushes = {
  QR_CODE_SCANNED: 'あなたのコードが読み取られました',
  LOST_CODE_SCANNED: '捜索中：あなたのコードが読み取られました',
  SCAN_LOCATED: 'コードを読み取った方が、今いる場所を知らせました',
  MESSAGE_RECEIVED: 'コードを読み取った方からメッセージが届きました',
  PIN_REJECTED: 'コードに誤ったPINが入力されました',
  CODE_EXPIRING: 'コードの1つがまもなく終了します',
  CODE_EXPIRED: 'コードの1つが終了しました',
  DOCUMENT_OPENED: '書類が開かれました',
  PASSCODE_REJECTED: '書類に誤ったパスコードが入力されました',
  ABOUT_A_CODE: 'コードについてのお知らせがあります',
  ABOUT_SUBSCRIPTION: 'サブスクリプションについてのお知らせがあります',
  SUBSCRIPTION_NEEDS_YOU: 'サブスクリプションについてご確認ください',
};
