//! The door: one form around the list of entries, whose buttons say who comes, goes or pays.

use actix_web::{HttpRequest, HttpResponse, web};

use super::entries::{self, Typed};
use super::return_page::ReturnPage;
use crate::problem::Problem;
use crate::site::form::{Form, malformed, number};
use crate::site::visitor::{self, Visitor, redirect};
use owlbox_desk::Request;
use owlbox_desk::tournaments::{Arrival, Order};
use owlbox_domain::code::Code;
use owlbox_domain::tournament::bracket::EntryNo;
use owlbox_domain::tournament::room::DivisionNo;
use owlbox_domain::tournament::settings::Fee;
use owlbox_domain::tournament::{Command, Tournament};
use owlbox_domain::values::TournamentId;
use owlbox_pages::directing::entries::Looked;

/// The button that was tapped.
#[derive(Clone, Debug, PartialEq)]
enum Tapped {
    /// An entry is here, or is not here after all.
    Checked { entry: EntryNo, here: bool },
    /// Somebody pays what they owed when the page was made, with the stakes of pools that they join now, and is here.
    Pays { entry: EntryNo, arrival: Arrival },
}

/// The button of a form that was tapped, and its name and value, which tell it from the others. `None` without any.
fn tapped(form: &Form) -> Result<Option<(String, Tapped)>, Problem> {
    for (button, here) in [("comes", true), ("goes", false)] {
        if let Some(entry) = form.number(button)? {
            let tapped = Tapped::Checked { entry, here };
            return Ok(Some((format!("{button} {}", entry.0), tapped)));
        }
    }
    let Some(pays) = form.some("pays") else { return Ok(None) };
    let mut parts = pays.split('-');
    let [Some(entry), Some(owed)] = [parts.next(), parts.next()] else {
        return Err(malformed("the button names no entry and sum"));
    };
    let entry: EntryNo = number(entry)?;
    let owed: Fee = number(owed)?;
    // A page that offers pools says so, as an unticked one sends nothing.
    let offers_pools = parts.next() == Some("pools");
    let side_pools = offers_pools.then(|| form.numbers(&format!("pool-{}", entry.0))).transpose()?;
    let arrival = Arrival { side_pools, owed: Some(owed) };
    Ok(Some((format!("pays {pays}"), Tapped::Pays { entry, arrival })))
}

pub(in crate::site) async fn door(
    visitor: Visitor,
    path: web::Path<(TournamentId, DivisionNo)>,
    form: Form,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let (id, division) = path.into_inner();
    let actor = visitor.actor()?;
    let partial = visitor::is_partial(&request);
    let Some((button, tapped)) = tapped(&form)? else {
        let problem = Problem::new(Code::NothingChanges, "no button of the list was tapped");
        let looked = Looked::default();
        return entries::answer(&visitor, id, division, &looked, partial, Some(&problem), Typed::Nothing)
            .await;
    };
    let here = ReturnPage::from_address(id, form.text("here"));
    let desk = &visitor.service.desk;
    let done = match tapped {
        Tapped::Checked { entry, here } => {
            let idempotency = form.idempotency_of_part(&button, request.path(), &button)?;
            let command = Command::CheckIn { division, entries: vec![entry], here };
            let order = Order::Command(command);
            desk.command::<Tournament>(Request { actor, expected: None, idempotency }, id, order).await
        }
        Tapped::Pays { entry, arrival } => {
            let asked = format!("{button} {:?}", arrival.side_pools);
            let idempotency = form.idempotency_of_part(&button, request.path(), &asked)?;
            desk.arrive(Request { actor, expected: None, idempotency }, id, division, entry, arrival).await
        }
    };
    match done.map_err(Problem::from) {
        Ok(_) if partial => here.answer(&visitor, id, true, None).await,
        Ok(_) => Ok(redirect(&here.address)),
        // Another has checked them in meanwhile.
        Err(problem) if problem.code == Code::NothingChanges && !partial => Ok(redirect(&here.address)),
        Err(problem) if problem.is_for_no_page() => Err(problem),
        Err(problem) => here.answer(&visitor, id, partial, Some(&problem)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_says_who_comes_goes_or_pays_and_for_which_pools() {
        let read =
            |fields: &[(&str, &str)]| tapped(&Form::filled(fields)).map(|tapped| tapped.map(|(_, one)| one));
        let checked = |here| Some(Tapped::Checked { entry: EntryNo(5), here });
        let pays = |owed: u64, side_pools: Option<Vec<u8>>| {
            let owed = Some(Fee::try_from(owed).unwrap());
            Some(Tapped::Pays { entry: EntryNo(5), arrival: Arrival { side_pools, owed } })
        };
        let ticked = [("pool-5", "0"), ("pool-6", "1"), ("pool-5", "2")];
        let with = |button: (&'static str, &'static str)| [&ticked[..], &[button]].concat();
        for (fields, expected) in [
            (Vec::new(), None),
            (vec![("here", "/x")], None),
            (vec![("comes", "5")], checked(true)),
            (vec![("goes", "5")], checked(false)),
            (with(("pays", "5-6000-pools")), pays(6000, Some(vec![0, 2]))),
            (vec![("pays", "5-6000-pools")], pays(6000, Some(Vec::new()))),
            (with(("pays", "5-6000")), pays(6000, None)),
        ] {
            assert_eq!(read(&fields).unwrap(), expected, "{fields:?}");
        }
        for wrong in [("comes", "x"), ("pays", "5"), ("pays", "5-x"), ("pays", "x-6000"), ("pays", "5--1")] {
            assert!(read(&[wrong]).is_err(), "{wrong:?}");
        }
    }
}
