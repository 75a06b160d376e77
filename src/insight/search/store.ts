// The SQL of searching: words by range, keys by equality, records by their words. Each walks an index under row-level security.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import type { SearchType } from '../search-index/contract.ts'

/** The words that each beginning can stand for. */
export const wordsBetween = statement(
  Type.Object({ term: Type.Integer(), word: Type.String() }),
  `select p.term, v.word from unnest(:terms::int[], :los::text[], :his::text[]) as p (term, lo, hi)
   cross join lateral (select v.word from search_vocabulary v
     where v.business_id = :business_id and v.word >= p.lo collate "C" and v.word < p.hi collate "C" order by v.word limit :limit) v`,
)

/** Words of names that share a key with what was typed. */
export const wordsByKeys = statement(
  Type.Object({ word: Type.String() }),
  `select distinct t.word from unnest(:keys::text[]) as k (key) join search_typos t on t.business_id = :business_id and t.key = k.key collate "C"`,
)

/**
 * Records that have a word of every term, the likeliest first. Of each word and type the newest are looked at, up to a limit, for all
 * terms; the term with the fewest such records leads, and the other terms are asked of each of its records.
 */
export const candidates = statement(
  Type.Object({ type: Type.Unsafe<SearchType>({ type: 'string' }), id: id() }),
  `with wanted as (select * from unnest(:terms::int[], :words::text[], :hows::int[], :limits::int[]) as w (term, word, how, most)),
   found as materialized (
     select wanted.term, hit.type, hit.id, min(wanted.how * 2 + hit.weight) as score
     from wanted cross join unnest(:types::text[]) as kind (type) cross join lateral (
       select s.type, s.id, s.weight from search_words s
       where s.business_id = :business_id and s.word = wanted.word collate "C" and s.type = kind.type and s.weight <= :weight::int
       order by s.weight, s.sorted_on desc, s.id limit wanted.most) hit
     group by wanted.term, hit.type, hit.id),
   chosen as (select term from found group by term order by count(*), term limit 1),
   passing as (
     select f.type, f.id, f.score, e.sorted_on, row_number() over (partition by f.type order by f.score, e.sorted_on desc, f.id) as place
     from found f join chosen on chosen.term = f.term
     join search_entries e on e.business_id = :business_id and e.type = f.type and e.id = f.id
     where (:include_archived::boolean or not e.archived) and (:status::text is null or e.status = :status)
       and (:customer_id::uuid is null or e.customer_id = :customer_id) and (:vendor_id::uuid is null or e.vendor_id = :vendor_id)
       and (:from::date is null or e.date >= :from) and (:to::date is null or e.date <= :to)
       and (:min_amount::bigint is null or e.amount >= :min_amount) and (:max_amount::bigint is null or e.amount <= :max_amount)
       and not exists (
         select from unnest(:all_terms::int[]) as other (term) where other.term <> f.term and not exists (
           select from unnest(:check_terms::int[], :check_los::text[], :check_his::text[]) as c (term, lo, hi)
           join search_words s on s.business_id = :business_id and s.type = f.type and s.id = f.id and s.word >= c.lo collate "C" and s.word < c.hi collate "C"
           where c.term = other.term)))
   select type, id from passing where place <= :per_type::int order by score, sorted_on desc, id limit :most::int`,
)

export const backlog = statement(Type.Object({ business_id: id() }), 'select business_id from search_backlogs where business_id = :business_id')
