import type { Translation } from '../translate'
import type zh from '../zh/pay'

const en: Translation<typeof zh> = {
  payTitle: 'Pay the fee',
  amount: '¥{amount}',
  left: 'Your place is held for {time}; please pay soon',
  leftOrder: 'Please pay within {time}',
  open: 'Pay ¥{amount}',
  scan: 'Scan with WeChat on another phone; on a computer, scan straight from the screen',
  scanHere: 'Reading this on your phone? Send this page to a computer or another phone, then scan it with WeChat. WeChat cannot read this kind of code by a long press.',
  qrName: 'QR code to pay',
  waits: 'This page updates by itself once you have paid',
  paid: 'Paid ¥{amount}',
  paidText: 'Your place is confirmed',
  paidGoneText: 'The team has withdrawn; the organizer decides about a refund',
  closed: 'Order closed',
  closedText: 'It was not paid, and need not be any more',
  refunding: 'Refunding ¥{amount}',
  refundingText: 'The money goes back the way it came, usually within minutes',
  refunded: 'Refunded ¥{amount}',
  refundedText: 'The money went back the way it came',
  whyLate: 'The order was closed when you paid; all of it goes back',
  whyAmount: 'The amount was not that of the order; all of it goes back',
  whyOrganizer: 'Refunded by the organizer',
  again: 'Try again',
  cashier: 'Local demonstration cashier',
  cashierText: 'This machine has no WeChat merchant. This is a demonstration; no real money is taken.',
  toCashier: 'Open the demonstration cashier',
  cashierPay: 'Pretend to pay ¥{amount}',
  cashierPaid: 'Pretended to pay',
  cashierPaidText: 'No real money moved; you may close this page',
  cashierOver: 'This order can no longer be paid',
  cashierUnknown: 'There is no such order',
  toRegistration: 'Back to the registration page',
}

export default en
