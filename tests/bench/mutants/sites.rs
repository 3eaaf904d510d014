//! Finds the places of a source file that can be mutated, and says how.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, ReturnType, UnOp};

/// The sign in a [`Site`]'s text for the call that asks whether the mutant is on.
pub const ON: &str = "\u{1}";

/// The kinds of mutants; each folder gets some of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Comparison,
    Arithmetic,
    Condition,
    Constant,
    Branch,
    Return,
}

pub const KINDS: [Kind; 6] = [
    Kind::Comparison,
    Kind::Arithmetic,
    Kind::Condition,
    Kind::Constant,
    Kind::Branch,
    Kind::Return,
];

/// A place that can be mutated: `text`, with [`ON`] filled in, takes the place of the bytes `range`.
#[derive(Clone, Debug)]
pub struct Site {
    pub kind: Kind,
    pub range: Range<usize>,
    pub text: String,
    pub line: usize,
    /// The change, for people.
    pub change: String,
}

/// Returns the sites of a source text, in order; none in code of tests, constants, patterns and macros.
pub fn sites(source: &str) -> Vec<Site> {
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    let mut finder = Finder { source, sites: Vec::new() };
    finder.visit_file(&file);
    finder.sites
}

struct Finder<'a> {
    source: &'a str,
    sites: Vec<Site>,
}

/// Returns whether what has these attributes is not compiled everywhere, or only for tests.
fn is_conditional(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("test"))
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

impl Finder<'_> {
    fn text(&self, span: Span) -> &str {
        &self.source[span.byte_range()]
    }

    fn add(&mut self, kind: Kind, at: Span, range: Range<usize>, text: String, change: String) {
        self.sites.push(Site { kind, range, text, line: at.start().line, change });
    }

    /// Adds a site whose expression has another text.
    fn replace(&mut self, kind: Kind, at: Span, whole: Span, other: &str) {
        let text = self.text(whole).to_owned();
        let mutated = format!("(if {ON} {{ {other} }} else {{ {text} }})");
        let short = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let change = format!("{} -> {}", short(&text), short(other));
        self.add(kind, at, whole.byte_range(), mutated, change);
    }

    /// Adds a site that gives `cond` the other value.
    fn negate(&mut self, cond: &Expr) {
        if !has_let(cond) && !matches!(cond, Expr::Lit(_)) {
            let text = self.text(cond.span()).to_owned();
            let change =
                format!("{} -> negated", text.split_whitespace().collect::<Vec<_>>().join(" "));
            let span = cond.span();
            self.add(Kind::Branch, span, span.byte_range(), format!("(({text}) != {ON})"), change);
        }
    }

    /// Adds a site that returns early from a function with a plain result.
    fn returns(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let ReturnType::Type(_, of) = &signature.output else { return };
        let syn::Type::Path(path) = &**of else { return };
        let Some(last) = path.path.segments.last() else { return };
        let values: &[&str] = match last.ident.to_string().as_str() {
            "bool" => &["true", "false"],
            "usize" => &["0", "1"],
            "Option" => &["None"],
            _ => return,
        };
        let body = self.text(block.span()).trim_matches(['{', '}', ' ', '\n']).to_owned();
        let at = block.brace_token.span.open().byte_range().end;
        for value in values.iter().filter(|value| body != **value) {
            let text = format!(" if {ON} {{ return {value}; }} ");
            let change = format!("fn {} returns {value}", signature.ident);
            self.add(Kind::Return, signature.ident.span(), at..at, text, change);
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Macro(_) => return,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_conditional(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() {
            self.returns(&item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !is_conditional(&item.attrs) {
            self.returns(&item.sig, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    // What the compiler computes, and what only has the shape of an expression.
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let (kind, other) = match &binary.op {
            BinOp::Lt(_) => (Kind::Comparison, "<="),
            BinOp::Le(_) => (Kind::Comparison, "<"),
            BinOp::Gt(_) => (Kind::Comparison, ">="),
            BinOp::Ge(_) => (Kind::Comparison, ">"),
            BinOp::Eq(_) => (Kind::Comparison, "!="),
            BinOp::Ne(_) => (Kind::Comparison, "=="),
            BinOp::Add(_) => (Kind::Arithmetic, "-"),
            BinOp::Sub(_) => (Kind::Arithmetic, "+"),
            BinOp::Mul(_) => (Kind::Arithmetic, "+"),
            BinOp::Div(_) => (Kind::Arithmetic, "*"),
            BinOp::AddAssign(_) => (Kind::Arithmetic, "-="),
            BinOp::SubAssign(_) => (Kind::Arithmetic, "+="),
            BinOp::And(_) => (Kind::Condition, "||"),
            BinOp::Or(_) => (Kind::Condition, "&&"),
            _ => return visit::visit_expr_binary(self, binary),
        };
        if !has_let(&binary.left) && !has_let(&binary.right) {
            let (left, right) = (self.text(binary.left.span()), self.text(binary.right.span()));
            let other = format!("{left} {other} {right}");
            self.replace(kind, binary.op.span(), binary.span(), &other);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let UnOp::Not(_) = unary.op {
            let inner = self.text(unary.expr.span()).to_owned();
            self.replace(Kind::Condition, unary.span(), unary.span(), &inner);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        match &literal.lit {
            Lit::Int(number) => {
                if let Ok(value) = number.base10_parse::<u64>() {
                    let other = format!("{}{}", value + 1, number.suffix());
                    self.replace(Kind::Constant, literal.span(), literal.span(), &other);
                }
            }
            Lit::Bool(value) => {
                let other = (!value.value).to_string();
                self.replace(Kind::Constant, literal.span(), literal.span(), &other);
            }
            _ => {}
        }
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.negate(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.negate(guard);
        }
        visit::visit_arm(self, arm);
    }
}
