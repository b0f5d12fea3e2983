import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'あなたに共有された書類',
  text: 'この書類はあなたに共有されました。開いた日時は共有した人に表示されます。',
  passcodeText: '伝えられたパスコードを入力してください。',
  passcode: 'パスコード',
  passcodeWrong: 'パスコードが違います。',
  passcodeBusy: '現在、ほかの人がパスコードを入力しています。数秒待ってから、もう一度お試しください。',
  views: { other: 'あと{count}回開くことができます。' },
  until: '{time}まで開くことができます。',
  openedTitle: '書類を保存しています',
  openedText:
    'ダウンロードした項目の中にあります。見つからない場合は、ボタンを押してください。ボタンは数分間使えます。',
  stale: 'ページを開いてから時間がたちました。もう一度ボタンを押してください。',
  goneText: 'このリンクは存在しないか、無効にされました。リンク全体があるか確認してください。',
  expiredTitle: 'このリンクは期限切れです',
  expiredText: 'このリンクでは何も開けません。送った人に新しいリンクを頼んでください。',
  usedTitle: 'このリンクは使用済みです',
  usedText: '開くことができる回数が限られていました。送った人に新しいリンクを頼んでください。',
  pasteTitle: '共有された書類を開く',
  pasteText: '受け取ったリンク全体を貼り付けてください。',
  pasteLabel: 'リンク',
  pasteButton: '続ける',
  sectionTitle: '開くことができる書類',
  unnamed: '書類',
};
