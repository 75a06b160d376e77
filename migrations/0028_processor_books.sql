-- What stands in the books for refunds and disputes at the card processor.

-- The refunds of credit memos that stand for it: what was asked for may come from several credits.
alter table processor_refunds add column credit_refund_ids uuid[] not null default '{}';
drop index credit_refunds_processor;
create unique index credit_refunds_processor on credit_refunds (business_id, processor_refund_id, credit_memo_id) where processor_refund_id is not null and reversed_at is null;

-- Of a dispute: what the books have given up of settled_amount. It is less where a surplus was used before it could be taken back.
alter table processor_disputes add column booked_amount bigint not null default 0 check (booked_amount >= 0);
alter table processor_disputes add column credit_refund_ids uuid[] not null default '{}';
update processor_disputes set booked_amount = coalesce(settled_amount, 0) where booked;
alter table processor_disputes drop column booked;
