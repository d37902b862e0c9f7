/** Refusals of what one admin asks for and another approves; part of `refusal.en.ts`, status 409. */
export const REQUEST_REFUSALS = {
  money_out_needs_second_admin:
    "With what left this account within a day, {{amount}} needs a second admin. The request is " +
    "noted, and goes once another admin approves it within a day, on Payouts. Nothing was sent.",
  "money_out_needs_second_admin.person":
    "With what left this account within a day, {{amount}} needs two admins, each with their " +
    "own login. An API key is not an admin. Nothing was noted or sent.",
  money_out_needs_person:
    "This account takes no payouts or transfers from an API key. Log in to send money, or " +
    "allow keys in the account's settings. Nothing was sent.",
  money_out_in_doubt:
    "The same was asked for before, as {{id}}, and it is not certain yet that nothing was sent. " +
    "Wait until it has ended. Nothing was sent now.",
  request_ended: "This request has ended. Nothing was done.",
  "request_ended.account":
    "Another account takes this currency now than when this was asked for. Refuse the request, " +
    "and ask again. Nothing was sent.",
  "request_ended.aged":
    "This request was not approved within a day, and can't be any more. Ask again. Nothing was " +
    "done.",
  "request_ended.amount":
    "What this refund would give back has changed since it was asked for. Refuse the request, and " +
    "ask again. Nothing was sent.",
  "request_ended.approved": "Another admin has approved this request already.",
  "request_ended.closed":
    "This request can't be approved any more: who asked for it is no admin now, has another " +
    "address, or lost the right to it, or what it needs is gone. Ask again. Nothing was done.",
  "request_ended.people":
    "Two admins with the right to it have to agree, and this login is not one of them. Nothing " +
    "was done.",
  "request_ended.refused": "Another admin has refused this request. Nothing was done.",
  "request_ended.withdrawn": "This request was withdrawn. Nothing was done.",
  request_is_own:
    "You have asked for this yourself. Another admin has to approve it. Nothing was done.",
  request_needs_right:
    "Two admins have to agree, and this login may not ask for it: it needs the right by which " +
    "another admin approves it. Ask an admin who has that right. Nothing was noted or done.",
  second_admin_missing:
    "A rule for two admins needs two: fewer have the right to approve what it is about, and changes " +
    "of accounts. Invite another admin, or grant the right, then save again. Nothing was changed.",
  request_needs_person:
    "Two people have to agree, each with their own login. An API key is not an admin. Nothing " +
    "was done.",
  "request_needs_person.test":
    "A test message is sent by an admin who is logged in, and by no API key. Nothing was sent.",
} as const
