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
  GUEST_BOOK_SIGNED: {
    title: '「{remembered}」の芳名帳への書き込み',
    body: '「{remembered}」の芳名帳に書き込みがありました。承認すると表示されます。',
  },
  CARETAKER_NAMED: {
    title: 'メモリアルタグの管理を手伝えるようになりました',
    body: 'ほかの人のメモリアルタグの文章、写真、芳名帳の管理を手伝えるようになりました。ほかの人のメモリアルタグの一覧にあります。',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}：誕生日',
    body: '「{remembered}」の生年月日：{date}',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}：命日',
    body: '「{remembered}」の没年月日：{date}',
  },
  CODE_EXPIRING: {
    title: '「{code}」はまもなく終了します',
    body: 'コード「{code}」は{date}に終了します。その後は何も表示されません。',
  },
  CODE_EXPIRED: {
    title: '「{code}」は終了しました',
    body: 'コード「{code}」は終了し、何も表示されなくなりました。',
  },
  DOCUMENT_INFECTED: {
    title: '「{document}」のファイルを削除しました',
    body: '書類「{document}」のファイルからマルウェアが見つかったため、このファイルを削除しました。送信元の端末をご確認ください。',
  },
  DOCUMENT_EXPIRING: {
    title: '「{document}」の有効期限が近づいています',
    body: '書類「{document}」の有効期限は{date}です。',
  },
  DOCUMENT_EXPIRED: {
    title: '「{document}」の有効期限は{date}です',
    body: '書類「{document}」の有効期限は{date}です。',
  },
  DOCUMENT_OPENED: {
    title: '「{document}」が開かれました',
    body: '書類「{document}」が開かれました。どこから開かれたかは、書類の閲覧一覧で確認できます。',
  },
  DOCUMENT_GIVEN: {
    title: '閲覧できる書類が届きました',
    body: 'ほかの人から、閲覧できる書類が届きました。ほかの人からの書類の一覧にあります。',
  },
  PASSCODE_REJECTED: {
    title: '「{document}」に誤ったパスコードが入力されました',
    body: '書類「{document}」へのリンクで、誤ったパスコードが何度か入力されました。書類は開かれていません。',
  },
  SCANS_DIGEST: {
    title: { other: 'コードが{count}回読み取られました' },
    body: '{time}以降：{codes}',
  },
  SUBSCRIPTION_STARTED: {
    title: 'サブスクリプションが始まりました',
    body: '現在のプランは「{package}」です。ありがとうございます。',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'サブスクリプションが変更されました',
    body: '現在のプランは「{package}」です。',
  },
  SUBSCRIPTION_ENDING: {
    title: 'サブスクリプションは{date}に終了します',
    body: 'プラン「{package}」は、お支払い済みの期間とともに終了します。それまでは継続に戻せます。いずれの場合もコードは引き続き使えます。',
  },
  SUBSCRIPTION_ENDED: {
    title: 'サブスクリプションが終了しました',
    body: 'プラン「{package}」が終了しました。印刷済みのコードは引き続き使えます。無料プランを超える分は、今後は閲覧のみとなります。',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'サブスクリプションは一時停止中です',
    body: 'プラン「{package}」は一時停止中です。印刷済みのコードは引き続き使えます。',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'サブスクリプションが再開しました',
    body: 'プラン「{package}」が再び使えます。',
  },
  TRIAL_ENDING: {
    title: 'お試し期間は{date}に終了します',
    body: 'それまでに解約されない場合、以後はプラン「{package}」の料金が発生します。',
  },
  PAYMENT_RECEIVED: {
    title: '{amount}のお支払いを受け取りました',
    body: 'ありがとうございます。「{package}」（{period}）の代金として{amount}をお支払いいただきました。請求書はすべて、アカウントの「サブスクリプション」でご覧いただけます。',
  },
  PAYMENT_FAILED: {
    title: '{amount}のお支払いができませんでした',
    body: '「{package}」の代金{amount}を受け取れませんでした。アカウントの「サブスクリプション」でお支払い方法をご確認ください。印刷済みのコードは引き続き使えます。',
  },
  PAYMENT_ACTION_NEEDED: {
    title: '{amount}のお支払いをご確認ください',
    body: '「{package}」の代金{amount}のお支払いについて、銀行が確認を求めています。アカウントの「サブスクリプション」で請求書を開いてください。',
  },
  PAYMENT_REFUNDED: {
    title: '{amount}を返金しました',
    body: '「{package}」の代金{amount}を返金しました。口座に反映されるまで数日かかることがあります。',
  },
  PAYMENT_DISPUTED: {
    title: '{amount}のお支払いに異議が申し立てられました',
    body: '「{package}」の代金{amount}の返還を、銀行が求めています。お心当たりがない場合は、銀行にご連絡ください。',
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
