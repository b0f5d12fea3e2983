/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: {
    title: '「{code}」が読み取られました',
    body: 'あなたのコード「{code}」が読み取られました。',
  },
  QR_CODE_SCANNED_NEAR: {
    title: '「{code}」が読み取られました',
    body: 'あなたのコード「{code}」が{place}付近で読み取られました。',
  },
  LOST_CODE_SCANNED: {
    title: '捜索中：「{code}」が読み取られました',
    body: 'あなたのコード「{code}」が読み取られました。',
  },
  LOST_CODE_SCANNED_NEAR: {
    title: '捜索中：「{code}」が読み取られました',
    body: 'あなたのコード「{code}」が{place}付近で読み取られました。',
  },
  SCAN_LOCATED: {
    title: '「{code}」の場所が届きました',
    body: 'コード「{code}」を読み取った方が、今いる場所を知らせました。',
  },
  SCAN_LOCATED_NEAR: {
    title: '「{code}」の場所が届きました',
    body: 'コード「{code}」を読み取った方が、今いる場所を知らせました。{place}付近です。',
  },
  MESSAGE_RECEIVED: {
    title: '「{code}」についてのメッセージ',
    body: 'コード「{code}」を読み取った方からメッセージが届きました。',
  },
  PIN_REJECTED: {
    title: '「{code}」に誤ったPINが入力されました',
    body: 'コード「{code}」で、誤ったPINが何度か入力されました。PINで保護された内容は表示されていません。',
  },
  CODE_EXPIRING: {
    title: '「{code}」はまもなく終了します',
    body: 'コード「{code}」は{date}に終了します。その後は何も表示されません。',
  },
  CODE_EXPIRED: {
    title: '「{code}」は終了しました',
    body: 'コード「{code}」は終了し、何も表示されなくなりました。',
  },
  SCANS_DIGEST: {
    title: { other: 'コードが{count}回読み取られました' },
    body: '{time}以降：{codes}',
  },
  SCANS_DIGEST_NEAR: {
    title: { other: 'コードが{count}回読み取られました' },
    body: '{time}以降：{codes}。最新の場所：{place}付近',
  },
  NEW_LOGIN: {
    title: '新しいログイン',
    body: 'あなたのアカウントにログインがありました。心当たりがない場合は、パスワードを変更し、そのセッションを終了してください。',
  },
  PASSWORD_CHANGED: {
    title: 'パスワードが変更されました',
    body: 'ほかのセッションはすべて終了しました。心当たりがない場合は、すぐにパスワードを再設定してください。',
  },
  SECOND_FACTOR_ON: {
    title: '2段階認証がオンになりました',
    body: 'ほかのセッションはすべて終了しました。心当たりがない場合は、パスワードを変更してください。',
  },
  SECOND_FACTOR_OFF: {
    title: '2段階認証がオフになりました',
    body: 'ほかのセッションはすべて終了しました。心当たりがない場合は、パスワードを変更してください。',
  },
  ROLE_CHANGED: {
    title: '権限が変更されました',
    body: '管理者があなたの権限を{role}に変更しました。',
  },
  GLASS_BROKEN: {
    title: '管理者があなたの記録を開きました',
    body: '緊急の理由が示されたため、15分間閲覧できます。だれが何を見たかは、監査記録で確認できます。',
  },
};
