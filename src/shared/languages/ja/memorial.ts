import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: '生年月日',
  died: '没年月日',
  storyTitle: '生涯の物語',
  storyMore: '全文を読む',
  storyPart: '{count}のうち{part}',
  storyNext: '続きを読む',
  storyBefore: '前の部分',
  backToPage: 'ページに戻る',
  placesTitle: 'ゆかりの場所',
  placeKinds: {
    BIRTH: '出生地',
    HOME: '暮らした場所',
    DEATH: '亡くなった場所',
    GRAVE: '眠る場所',
  },
  pictureMissing: '写真 {number} はここに表示できません。このページの作成時に読み取れませんでした。',
  entriesMissing: {
    other: '書き込み{count}件はここに表示できません。このページの作成時に読み取れませんでした。',
  },
  guestBookTitle: '芳名帳',
  guestBookMore: 'すべての書き込み',
  guestBookOlder: '以前の書き込み',
  guestBookNameless: '訪れた方',
  signTitle: '芳名帳に書く',
  signText:
    '書かれた内容は、まずご家族が読みます。ご家族が承認すると、ここを訪れるどなたでも読めるようになります。',
  signLabel: '書き込み',
  signEmpty: '何か書いてください。まだ送信していません。',
  signClosed: '送信できませんでした。この芳名帳は書き込みを受け付けていません。',
  signDone: 'ありがとうございます。ご家族が承認すると、ここに表示されます。',
  withdrawKeep: 'このリンクから、書き込みをいつでも取り消せます。リンクはあなた専用です。',
  withdrawText: '取り消すと書き込みは削除され、誰も読めなくなります。',
  withdrawButton: '書き込みを取り消す',
  withdrawDone: '書き込みを取り消し、削除しました。',
  withdrawGone: 'この書き込みはすでにないか、アドレスが不完全です。',
};
